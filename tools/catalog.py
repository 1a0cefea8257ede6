#!/usr/bin/env python3
"""catalog.py FOLDER OUT.json DEPFILE - the resource types of studio, from a file for each category to one text.

    FOLDER/catalog.json                     providers, palette, rules of connections
    FOLDER/prices.json                      what `cost` names
    FOLDER/types/PROVIDER/CATEGORY.json     a list of types

Types come in the order of the palette, those of one category as they stand in its file. What a type may say is
docs/registry.md; the program's own loader checks it, as it checks everybody's.
"""
import json
import os
import sys


def read(path, seen):
    """What a file holds."""
    seen.append(path)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def all_types(folder, palette, seen):
    """The types of every file, in the order of the palette."""
    files = sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    groups = []
    for path in files:
        types = read(path, seen)
        categories = {one["category"] for one in types}
        if len(categories) != 1 or not categories <= palette.keys():
            sys.exit(f"{path}: its types must have one category of the palette, not {sorted(categories)}")
        groups.append((palette[categories.pop()], path, types))
    return [one for _, _, types in sorted(groups, key=lambda group: group[:2]) for one in types]


def main():
    """Writes the text, and what it was made of."""
    folder, out, depfile = sys.argv[1:]
    seen = []
    catalog = read(os.path.join(folder, "catalog.json"), seen)
    catalog["prices"] = read(os.path.join(folder, "prices.json"), seen)
    palette = {one["id"]: place for place, one in enumerate(catalog["palette"])}
    catalog["types"] = all_types(os.path.join(folder, "types"), palette, seen)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(catalog, file, ensure_ascii=False, separators=(",", ":"))
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{out}: {' '.join(path.replace(' ', chr(92) + ' ') for path in seen)}\n")


main()
