"""What the parts of a plan must have in common; each alone is checked as it is read."""

import math
from dataclasses import fields

from pipeline.plan import Plan
from pipeline.records import LANGUAGES, TASKS
from pipeline.settings import PlanError, known

PROFILES = ("ids", "local", "open")
# BioASQ is given to who registers, for research of their own.
NOT_TO_BE_PASSED_ON = frozenset({"LicenseRef-BioASQ"})

_SEEDS = range(-(2**63), 2**63)  # what `pipeline.text.draw` takes as its key


def check_plan(plan: Plan) -> None:
    """Raise PlanError for the first thing in which parts of the plan do not fit together."""
    if "://" in plan.output or not plan.output:
        raise PlanError(f"output: {plan.output!r} is no local folder; publish from there later")
    if plan.seed not in _SEEDS:
        raise PlanError(f"seed: {plan.seed} is beyond 64 bits; choose a smaller number")
    _check_profile(plan)
    _check_languages(plan)
    _check_evidence(plan)
    _check_quotas(plan)
    _check_settings(plan)


def _check_profile(plan: Plan) -> None:
    if plan.profile not in PROFILES:
        raise PlanError(f"profile: unknown name {plan.profile!r}; {known(plan.profile, PROFILES)}")
    if plan.profile == "open" and plan.umls.max_srl > 0:
        raise PlanError(
            f"umls.max_srl: {plan.umls.max_srl} lets text in that may not be redistributed, and "
            "profile 'open' is for publishing; set max_srl = 0, or profile = 'ids' or 'local'"
        )

    for source in plan.evidence:
        if plan.profile != "local" and source.reader.licence in NOT_TO_BE_PASSED_ON:
            raise PlanError(
                f"evidence {source.name}: its licence, {source.reader.licence}, forbids to pass it "
                f"on, and profile {plan.profile!r} is for publishing; leave it out, or set "
                "profile = 'local'"
            )


def _check_quotas(plan: Plan) -> None:
    """Three tasks without overlap are the benchmark: one that is empty proves nothing."""
    for task in TASKS:
        if not any(asked.quota for (name, _), asked in plan.quotas.items() if name == task):
            where = "tiers" if task == "concepts" else f"tasks.{task}"
            raise PlanError(f"{where}: no query is asked for; give the task {task} a quota")


def _check_settings(plan: Plan) -> None:
    """Numbers that no reader, tier, engine or filter can work with, and sources without a licence.

    A threshold that is no number accepts or refuses everything, and no error would tell.
    """
    parts: dict[str, object] = {
        **{f"evidence {one.name}": one.reader for one in plan.evidence},
        **{f"tiers.{name}": tier.rule for name, tier in plan.tiers.items()},
        "translation": plan.translation.engine,
        **{f"filters.{name}": one for name, one in plan.filters.items()},
    }
    for where, part in parts.items():
        for key in (one.name for one in fields(part)):  # type: ignore[arg-type]
            value = getattr(part, key)
            if isinstance(value, float) and not math.isfinite(value):
                raise PlanError(f"{where}: {key}: {value} is not allowed, expected a number")
            if key == "cap" and value < 1:
                raise PlanError(f"{where}: cap: {value} is not allowed, expected 1 or more")
    for source in plan.evidence:
        if not source.reader.licence.strip():
            raise PlanError(
                f"evidence {source.name}: licence: blank; name the licence of the source, such as "
                "CC-BY-4.0"
            )


def _check_languages(plan: Plan) -> None:
    for language in plan.languages:
        if language not in LANGUAGES:
            raise PlanError(f"languages: unknown {language!r}; {known(language, LANGUAGES)}")
    if "en" not in plan.languages or len(set(plan.languages)) != len(plan.languages):
        raise PlanError("languages: expected each once, 'en' (the evidence's language) among them")
    for slot, task in plan.quotas.items():
        for key in ("language_quotas", "language_shares"):
            for language in getattr(task, key):
                if language not in plan.languages:
                    where = f"{'-'.join(filter(None, slot))}: {key}"
                    raise PlanError(f"{where}: {language!r} is none of the plan's languages")


def _check_evidence(plan: Plan) -> None:
    names: set[str] = set()
    for source in plan.evidence:
        if source.name in names:
            raise PlanError(
                f"evidence: two sources are named {source.name!r}; give each a name of its own"
            )
        names.add(source.name)
    _check_distractors(plan)
    served = {task for one in plan.evidence if not one.corpus_size for task in one.tasks}
    for task in sorted(plan.tasks.keys() - served):
        raise PlanError(f"tasks.{task}: no [[evidence]] names {task!r} among its tasks")
    for task in sorted(served - plan.tasks.keys()):
        raise PlanError(f"evidence: tasks name {task!r}, for which no [tasks.{task}] sets a quota")


def _check_distractors(plan: Plan) -> None:
    for task in sorted(plan.tasks):
        filling = [one for one in plan.evidence if one.corpus_size and task in one.tasks]
        if len({one.corpus_size for one in filling}) > 1:
            names = ", ".join(one.name for one in filling)
            raise PlanError(
                f"evidence: {names}: fill the corpus of {task!r} to different sizes; "
                "give all the same corpus_size"
            )
