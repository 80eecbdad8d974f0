# SPDX-License-Identifier: Apache-2.0
"""Makes the page of all operators from `vkassay list operators --json`."""
import itertools
import json

from figures_proofs import table

HEAD = """# Operators

What a manifest and a suite may name of each operator: its dims, operands and parameters, and which outputs are right.
`vkassay list operators NAME` prints the same of one, with its kernels and the derivation of its bound. Made by `make pages`.

* An operand without a type has that of the case; `or quantised` ones may be q8_0 or q4_0. Shapes are outermost first.
* **drawn**: what inputs hold. *special values*: zeros, infinities, NaN, subnormals and extremes come first. *hard lines*: some rows are
  far from zero, cancelling, sparse, infinite and so on. *broken lines*: in one case of three some elements are infinite, NaN or zero.
* **tried**: the values of a parameter that the sampled `check` meets beside the default.
"""
SIGNS = str.maketrans({sign: "\\" + sign for sign in "|*_<>[]`"})
FILLS = {"uniform": "numbers{range}", "index": "whole numbers from 0 to below {below}",
         "out-of-range": "whole numbers from 0 to below {below}, one in eight out of range", "permutation": "each number once",
         "spread": "numbers of all sizes{range}", "constant": "{low} everywhere", "whole": "whole numbers{range}",
         "cosine": "a table of cosines", "sine": "a table of sines", "steps": "numbers with repeats{range}",
         "rare": "{low}, rarely {high}", "mask": "0, and -inf in places", "ties": "numbers of all sizes{range}",
         "broken": "numbers{range}, NaN and infinities among them", "truth": "0, or any other byte"}


def plain(text):
    return (text or "-").translate(SIGNS)


def number(value):
    return f"{value:.10g}"


def drawn(operand):
    if "fill" not in operand:
        return ""
    low, high = (number(operand[end]) if end in operand else "" for end in ("low", "high"))
    text = FILLS[operand["fill"]].format(low=low, high=high, range=f" from {low} to {high}", below=operand.get("below"))
    return ", ".join([text, *(["special values"] if "specials" in operand else []),
                      *(["hard lines"] if "lines" in operand else []),
                      *(["broken lines"] if "broken" in operand else [])])


def operands(operator):
    def dtype(operand):
        dtype = "" if operand["dtype"] == "case" else operand["dtype"]
        return dtype + (" or quantised" if operand["weights"] else "")
    return table(["operand", "role", "type", "shape", "meaning", "drawn"],
                 [[f"`{operand['name']}`", operand["role"], dtype(operand), plain(", ".join(operand["shape"])) or "1",
                   plain(operand["meaning"]), plain(drawn(operand)) if drawn(operand) else ""]
                  for operand in operator["operands"]])


def parameters(operator):
    def legal(parameter):
        return "any" if parameter["low"] is None else f"{number(parameter['low'])} to {number(parameter['high'])}"
    if not operator["parameters"]:
        return ""
    return "\n" + table(["parameter", "type", "default", "range", "tried", "meaning"],
                        [[f"`{parameter['name']}`", parameter["type"], number(parameter["default"]), legal(parameter),
                          ", ".join(map(number, parameter["telling"])), plain(parameter["meaning"])]
                         for parameter in operator["parameters"]])


def dims(operator):
    def words(of):
        return "; ".join(f"`{dim['name']}` {plain(dim['meaning'])}" + (" (may be 0)" if dim.get("least") == 0 else "")
                         for dim in of)
    return f"Dims: {words(operator['dims'])}.\n" + \
        (f"Following from these: {words(operator['derived'])}.\n" if operator["derived"] else "")


def section(operator):
    conventions = f"{plain(operator['conventions'])}.\n\n" if operator["conventions"] else ""
    return f"""### {operator['name']}

{plain(operator['summary'])[0].upper()}{plain(operator['summary'])[1:]}.

    {operator['formula']}

{conventions}{dims(operator)}
{operands(operator)}{parameters(operator)}"""


def page(program):
    """Returns the page."""
    listed = json.loads(program("list", "operators", "--json"))
    families = [(family, list(of)) for family, of in itertools.groupby(listed, lambda operator: operator["family"])]
    parts = [f"## {family}\n\n" + "\n".join(map(section, of)) for family, of in families]
    return "\n".join([HEAD, *parts])
