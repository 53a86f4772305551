"""The table of corruptions: the label of each, and who plants it."""

from qa_filters.corruptions.base import Corruption
from qa_filters.corruptions.facts import (
    add_negation,
    change_digit,
    drop_negation,
    swap_side,
    swap_unit,
    turn_comparison,
)
from qa_filters.corruptions.structure import (
    copy_half,
    copy_source,
    drop_sentence,
    loop,
    other_query,
    template_only,
    truncate,
)
from qa_filters.corruptions.writing import han_variant, wrong_language, wrong_script

CORRUPTIONS: dict[str, Corruption] = {
    "add_negation": add_negation,
    "change_digit": change_digit,
    "copy_half": copy_half,
    "copy_source": copy_source,
    "drop_negation": drop_negation,
    "drop_sentence": drop_sentence,
    "han_variant": han_variant,
    "loop": loop,
    "other_query": other_query,
    "swap_side": swap_side,
    "swap_unit": swap_unit,
    "template_only": template_only,
    "truncate": truncate,
    "turn_comparison": turn_comparison,
    "wrong_language": wrong_language,
    "wrong_script": wrong_script,
}
