"""The table of checks; to add one, write its module and name it here."""

from collections.abc import Mapping

from pipeline.lint.base import Check
from pipeline.lint.blank_texts import BlankTexts
from pipeline.lint.card import Card
from pipeline.lint.card_configs import CardConfigs
from pipeline.lint.coincidences import Coincidences
from pipeline.lint.contract import Contract
from pipeline.lint.dangling_ids import DanglingIds
from pipeline.lint.duplicate_ids import DuplicateIds
from pipeline.lint.duplicate_texts import DuplicateTexts
from pipeline.lint.hashes import Hashes
from pipeline.lint.ids import Ids
from pipeline.lint.restricted_texts import RestrictedTexts
from pipeline.lint.row_groups import RowGroups
from pipeline.lint.scripts import Scripts
from pipeline.lint.strangers import Strangers
from pipeline.lint.string_types import StringTypes

CHECKS: Mapping[str, type[Check]] = {
    "contract": Contract,
    "hashes": Hashes,
    "strangers": Strangers,
    "card": Card,
    "card_configs": CardConfigs,
    "row_groups": RowGroups,
    "string_types": StringTypes,
    "ids": Ids,
    "duplicate_ids": DuplicateIds,
    "dangling_ids": DanglingIds,
    "blank_texts": BlankTexts,
    "duplicate_texts": DuplicateTexts,
    "scripts": Scripts,
    "restricted_texts": RestrictedTexts,
    "coincidences": Coincidences,
}
