#!/usr/bin/env python3
"""call_cycles.py BUILD - how many of the product's files call each other in circles.

A file that calls its parts, and holds the helpers that the parts call back, ties all of them into one knot: none can be
read, tested or moved without the others. Helpers stand a floor below in a file of their own; then calls only go down.

What counts. The files are the objects linked into what is installed: programs, libraries and plug-ins; tests are none
of them. An object calls another when it names a symbol that the other defines: a function that it calls, a function or a
description that it puts into a table, a variable. So the pointer to a tool in an app's table is a call of the tool; what
is called through a pointer that somebody else handed over is not. Objects that reach each other both ways are a cycle.

Fails when more objects are in cycles than OBJECTS_MAX, or one cycle has more than CYCLE_MAX, and shows the cycles, each
with the arrows whose removal would free most objects. Look first for a helper that stands in the file that calls
everybody; a parser's own recursion may stay.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

OBJECTS_MAX = 180
CYCLE_MAX = 12
LINKED = ("executable", "shared library", "shared module", "static library")
ARROWS_SHOWN = 8


def product_objects(build):
    """The objects that the installed programs, libraries and plug-ins are linked from, as paths below the build folder."""
    targets = json.loads((build / "meson-info/intro-targets.json").read_text())
    linked = [pathlib.Path(name).relative_to(build.resolve()) for target in targets
              if target["installed"] and target["type"] in LINKED for name in target["filename"]]
    lines = subprocess.run(["ninja", "-C", build, "-t", "inputs", *linked], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines()
    objects = sorted({line.strip() for line in lines if line.endswith(".o")})
    missing = [name for name in objects if not (build / name).exists()]
    if missing or not objects:
        sys.exit(f"call_cycles.py: {build} is not built: {len(missing)} of {len(objects)} objects are missing")
    return objects


def read_symbols(build, objects):
    """Who defines each symbol, and which symbols each object wants."""
    defined = collections.defaultdict(set)
    wanted = collections.defaultdict(set)
    lines = subprocess.run(["nm", "-A", "-g", "--format=posix", *objects], cwd=build, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        place, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        if kind in "Uwv":
            wanted[place].add(name)
        else:
            defined[name].add(place)
    return defined, wanted


def call_graph(build, objects):
    """graph[a][b]: the symbols of object b that object a names."""
    defined, wanted = read_symbols(build, objects)
    graph = {name: {} for name in objects}
    for caller in objects:
        for symbol in wanted[caller]:
            for callee in defined.get(symbol, ()):
                if callee != caller:
                    graph[caller].setdefault(callee, set()).add(symbol)
    return graph


def cycles(nodes, calls):
    """The strongly connected components of two and more (Tarjan, without recursion), largest first."""
    index, low, found = {}, {}, []
    stack, on_stack = [], set()
    for root in nodes:
        work = [] if root in index else [(root, None)]
        while work:
            node, callees = work.pop()
            if callees is None:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
                callees = iter(calls(node))
            for callee in callees:
                if callee not in index:
                    work += [(node, callees), (callee, None)]
                    break
                if callee in on_stack:
                    low[node] = min(low[node], index[callee])
            else:
                if low[node] == index[node]:
                    place = stack.index(node)
                    component, stack = stack[place:], stack[:place]
                    on_stack.difference_update(component)
                    if len(component) > 1:
                        found.append(component)
                if work:
                    caller = work[-1][0]
                    low[caller] = min(low[caller], low[node])
    return sorted(found, key=len, reverse=True)


def cheapest_arrows(graph, component):
    """(objects freed, symbols, caller, callee) of a cycle's arrows: freed most first, with fewest symbols."""
    inside = set(component)
    ranked = []
    for callee in component:
        callers = [name for name in component if callee in graph[name]]
        # One arrow, and all arrows into a file at once: what its helpers would free in a file of their own.
        for cut in [{name} for name in callers] + ([set(callers)] if len(callers) > 1 else []):
            left = cycles(component, lambda node: [name for name in graph[node] if name in inside and
                                                   not (name == callee and node in cut)])
            symbols = set().union(*(graph[name][callee] for name in cut))
            ranked.append((len(component) - sum(map(len, left)), symbols, cut, callee))
    ranked.sort(key=lambda row: (-row[0], len(row[1]), len(row[2])))
    return [row for row in ranked if row[0] > 0][:ARROWS_SHOWN]


def short(name):
    """build-dev/src/libx.a.p/apps_studio_mcp_app.c.o -> apps_studio_mcp_app.c"""
    return pathlib.PurePath(name).name.removesuffix(".o")


def show(graph, component):
    print(f"\n{len(component)} objects: " + " ".join(sorted(map(short, component))))
    for freed, symbols, callers, callee in cheapest_arrows(graph, component):
        who = short(next(iter(callers))) if len(callers) == 1 else f"{len(callers)} files"
        print(f"  frees {freed}: {who} -> {short(callee)}: {' '.join(sorted(symbols))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder, built")
    parser.add_argument("--list", action="store_true", help="show every cycle")
    parser.add_argument("--objects-max", type=int, default=OBJECTS_MAX)
    parser.add_argument("--cycle-max", type=int, default=CYCLE_MAX)
    given = parser.parse_args()
    objects = product_objects(given.build)
    graph = call_graph(given.build, objects)
    found = cycles(objects, lambda node: sorted(graph[node]))
    count, largest = sum(map(len, found)), max(map(len, found), default=0)
    too_many = count > given.objects_max
    for component in found:
        if given.list or too_many or len(component) > given.cycle_max:
            show(graph, component)
    print(f"{count} of {len(objects)} objects in {len(found)} call cycles (at most {given.objects_max}), "
          f"the largest of {largest} (at most {given.cycle_max})")
    return 1 if too_many or largest > given.cycle_max else 0


if __name__ == "__main__":
    sys.exit(main())
