"""page.py - docs/hosts.md from the figures; and whether the page still says what is so."""
import re

from scripts import TASKS, TOUR

# Numbers may differ by this much before the page counts as old: a word more in a description is no news.
PART, FEW = 0.10, 12

HEAD = """# What the model receives

A host decides what of a tool's result its model gets to see, and hosts decide differently. This page is measured: the
real programs, as npm has them, talk to a stand-in for a model on 127.0.0.1 that writes down every request. It is made
by `tests/hosts/run.sh --write` and checked by the same test without `--write`.

Tokens are counted with OpenAI's encoding o200k (npm `gpt-tokenizer` %(tokenizer)s), for every host alike, on the text that
stands in the request; pictures are not counted. Other models count a little differently; the proportions stay.

Measured: %(versions)s.

## Before the first word

What a conversation carries of Tenon in its first request. Hosts that *look tools up* give their model names at most;
the model asks for a tool's description before it calls it.

%(offers)s

"""
CALLS = """## What becomes of a result

**T**: the text of the result reaches the model. **J**: the structured content does. **S**: both are the same JSON, and it
reaches it. **cut**: neither does as a whole. Then the tokens, then how many of the ids, names and values that a next
call could need reached the model of those that were sent. **P**: the picture, **no P**: it is lost.

%(calls)s
%(notes)s
## Pictures, errors and questions

%(forms)s

"""
TASK_TEXT = """## Four tasks

Solved by the stand-in with nothing but what the host handed on, with the default tools, through what `tenon install`
wrote. The tokens are all that Tenon puts into the conversation: what is offered at its beginning, what is looked up, the
calls, and their results. A request carries it all again.

%(tasks)s
"""


def number(value):
    return f"{value:,}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def cell(call):
    parts = [call.form, number(call.tokens())]
    if call.facts:
        parts.append(f"{call.found}/{call.facts}")
    if call.sent_images:
        parts.append("P" if call.images else "**no P**")
    return " ".join(parts)


def offers(figures):
    rows = []
    for way, figure in figures.items():
        offer = figure["offer"]
        how = f"looked up with `{offer.finder}`" if offer.finder else (
            f"looked up and called from programs, by `{offer.program}`" if offer.program else "at once")
        rows.append([way, str(offer.listed), str(offer.named), number(offer.tokens()),
                     "yes" if offer.instructions else "no", f"`{offer.example}`" if offer.example else "", how])
    return table(["Host", "tools described", "only named", "tokens", "instructions", "name of a tool", "tools are there"],
                 rows)


def calls(figures):
    rows = [[app, what, *(cell(figure["calls"][i]) for figure in figures.values())]
            for i, (app, what) in enumerate(TOUR)]
    return table(["App", "Result", *figures], rows)


def forms(figures):
    rows = []
    for way, figure in figures.items():
        kinds = sorted({form for call in figure["calls"] for form, _ in call.images})
        errors = [call for call in figure["calls"] if call.error]
        marked = "yes" if all(call.marked for call in errors) else "no"
        rows.append([way, ", ".join(kinds) or "none", marked, ", ".join(sorted(set(figure["questions"]))) or "is not asked"])
    return table(["Host", "pictures arrive as", "an error is marked as one", "its answer to a question, without a person"], rows)


def tasks(figures):
    rows = []
    for task, what in TASKS.items():
        row = [what]
        for figure in figures.values():
            if task not in figure["tasks"]:
                continue
            one = figure["tasks"][task]
            row.append(number(one["tokens"]()) if one["solved"] else f"not solved: {one['why']}")
        rows.append(row)
    return table(["Task", *(way for way, figure in figures.items() if figure["tasks"])], rows)


def notes(figures):
    lines = []
    for way, figure in figures.items():
        cut = [what for (_, what), call in zip(TOUR, figure["calls"]) if call.form == "cut" and call.facts != call.found]
        if cut:
            lines.append(f"\n- {way} cuts, or keeps for itself: {', '.join(cut)}.")
    return "".join(lines) + "\n" * bool(lines)


def make(figures, versions, skipped):
    text = HEAD % {"tokenizer": versions.pop("gpt-tokenizer"), "offers": offers(figures),
                   "versions": ", ".join(f"{name} {version}" for name, version in versions.items())}
    text += CALLS % {"calls": calls(figures), "notes": notes(figures), "forms": forms(figures)}
    text += TASK_TEXT % {"tasks": tasks(figures)}
    if skipped:
        text += "\nNot measured: " + "; ".join(f"{name}: {why}" for name, why in skipped.items()) + ".\n"
    return text


# ---- is the page current? ----

NUMBER = re.compile(r"\d[\d,]*")


def differences(page, made):
    """Lines that say something else, or a number that is far from what was measured."""
    old, new = page.splitlines(), made.splitlines()
    found = [] if len(old) == len(new) else [f"{len(old)} lines, not {len(new)}"]
    for was, now in zip(old, new):
        if NUMBER.sub("#", was) != NUMBER.sub("#", now):
            found.append(f"it says: {was[:200]} | it is: {now[:200]}")
            continue
        for one, other in zip(NUMBER.findall(was), NUMBER.findall(now)):
            first, second = int(one.replace(",", "")), int(other.replace(",", ""))
            if abs(first - second) > max(FEW if max(first, second) > 60 else 0, PART * max(first, second)):
                found.append(f"{one}, not {other}, in: {now[:200]}")
    return found
