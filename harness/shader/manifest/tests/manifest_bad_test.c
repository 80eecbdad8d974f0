// SPDX-License-Identifier: Apache-2.0
// Wrong manifests: each row replaces members of a good kernel and gives the expected error. The schema must refuse
// them, too, and accept all right ones.
#include "../../../base/json.h"
#include "../../../base/tests/needs.h"
#include "../../../base/text.h"
#include "../known_names.h"
#include "plan_fixture.h"

static const struct {
    const char *members; // JSON members replacing those of the good kernel
    const char *path, *says;
} rows[] = {
    {"\"operator\": \"rmsnrom\"", "$.kernels[0].operator", "\"rmsnrom\" is no operator; did you mean \"rmsnorm\"?"},
    {"\"operator\": 3", "$.kernels[0].operator", "expected string, found int"},
    {"\"name\": \"relu\"", "$.kernels[0].name", "expected \"relu.VARIANT\""},
    {"\"name\": \"silu.scalar\"", "$.kernels[0].name",
        "expected \"relu.VARIANT\" of letters, digits, '_' and '.', found \"silu.scalar\""},
    {"\"name\": \"relu.a/b\"", "$.kernels[0].name", "expected \"relu.VARIANT\""},
    {"\"nam\": \"relu.a\"", "$.kernels[0]", "unknown member \"nam\"; did you mean \"name\"?"},
    {"\"dtypes\": []", "$.kernels[0].dtypes", "at least one"},
    {"\"dtypes\": null", "$.kernels[0].dtypes", "expected array, found null"},
    {"\"dtypes\": [\"f32\", \"f64\"]", "$.kernels[0].dtypes[1]", "\"f64\" is no dtype; did you mean"},
    {"\"arithmetic\": \"i32\"", "$.kernels[0].arithmetic", "\"i32\" is no type that kernels compute in"},
    {"\"cooperative\": {\"m\": 16}", "$.kernels[0].cooperative", "expected a member \"n\""},
    {"\"cooperative\": {\"m\": \"M\"}", "$.kernels[0].cooperative.m", "\"M\" is no dim or tunable"},
    {"\"cooperative\": {\"m\": 8, \"n\": 8, \"k\": 8, \"a\": \"f61\"}", "$.kernels[0].cooperative.a",
        "\"f61\" is no type of matrix elements; did you mean"},
    {"\"features\": [\"storge16\"]", "$.kernels[0].features[0]", "did you mean \"storage16\"?"},
    {"\"shader\": \"none.comp\"", "$.kernels[0].shader", "there is no shader file"},
    {"\"bindings\": [\"x\", \"z\"]", "$.kernels[0].bindings[1]", "\"z\" is no operand or scratch buffer"},
    {"\"bindings\": [\"x\"]", "$.kernels[0]", "operand \"y\" of relu has no binding"},
    {"\"bindings\": [\"x\", {\"name\": \"y\"}]", "$.kernels[0].bindings[1]", "expected a member \"binding\""},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 1, \"group\": 1}]", "$.kernels[0].bindings[1]",
        "unknown member \"group\""},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 1, \"set\": 4}]", "$.kernels[0].bindings[1].set",
        "expected at most 3, found 4"},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 0}]", "$.kernels[0].bindings[1]",
        "binding 0 of set 0 is that of \"x\" too"},
    {"\"uniform\": {\"binding\": 2, \"members\": [\"n\"]}", "$.kernels[0].uniform", "here in both"},
    {"\"push\": null, \"uniform\": {\"binding\": 1, \"members\": [\"n\"]}", "$.kernels[0].uniform",
        "binding 1 of set 0 is that of \"y\" too"},
    {"\"push\": null, \"uniform\": {\"binding\": 2, \"members\": []}", "$.kernels[0].uniform.members",
        "at least one member"},
    {"\"notes\": \"a\"", "$.kernels[0].notes", "expected array, found string"},
    {"\"notes\": [\"a\", 1]", "$.kernels[0].notes[1]", "expected string, found int"},
    {"\"entry\": \"a b\"", "$.kernels[0].entry", "the name of an entry point, found \"a b\""},
    {"\"local_size\": []", "$.kernels[0].local_size", "one to three sizes"},
    {"\"local_size\": [0]", "$.kernels[0].local_size[0]", "found 0"},
    {"\"local_size\": [64]", "$.kernels[0].local_size[0]", "WG_X is among the tunables too"},
    {"\"push\": [\"m\"]", "$.kernels[0].push[0]", "\"m\" is no dim, parameter or tunable"},
    {"\"push\": \"n\"", "$.kernels[0].push", "expected array, found string"},
    {"\"push\": [true]", "$.kernels[0].push[0]", "a name, a number, a product or an object, found boolean"},
    {"\"push\": [4294967296]", "$.kernels[0].push[0]", "to 4294967295, found 4294967296"},
    {"\"push\": [1e39]", "$.kernels[0].push[0]", "1e+39 is no float of 32 bits"},
    {"\"push\": [\"pda\"]", "$.kernels[0].push[0]", "did you mean \"pad\"?"},
    {"\"push\": [[\"m\"]]", "$.kernels[0].push[0][0]", "\"m\" is no dim or tunable"},
    {"\"push\": [{\"length\": \"z\"}]", "$.kernels[0].push[0].length", "\"z\" is no operand; did you mean"},
    {"\"push\": [{\"elements\": \"z\"}]", "$.kernels[0].push[0].elements", "\"z\" is no operand; did you mean"},
    {"\"push\": [{\"elements\": \"x\", \"in\": \"words\"}]", "$.kernels[0].push[0].in", "\"words\" is no unit"},
    {"\"push\": [{\"elements\": \"x\", \"length\": \"x\"}]", "$.kernels[0].push[0]",
        "expected one of extent, stride and elements, found 2"},
    {"\"push\": [{\"elements\": null}]", "$.kernels[0].push[0]", "expected an operand, found null"},
    {"\"push\": [{\"extent\": \"x\"}]", "$.kernels[0].push[0].extent", "expected array, found string"},
    {"\"push\": [{\"extent\": [\"x\"]}]", "$.kernels[0].push[0].extent", "an operand and an axis, found 1 items"},
    {"\"push\": [{\"extent\": [\"z\", 0]}]", "$.kernels[0].push[0].extent[0]", "\"z\" is no operand"},
    {"\"push\": [{\"extent\": [\"x\", -5]}]", "$.kernels[0].push[0].extent[1]", "from -4 to 5, found -5"},
    {"\"push\": [{\"extent\": [\"x\", 1]}]", "$.kernels[0].push[0].extent[1]",
        "x has 1 axes; one before them is counted from the end: -2"},
    {"\"push\": [{\"extent\": [\"x\", 0], \"in\": \"bytes\"}]", "$.kernels[0].push[0].in", "an extent counts indices"},
    {"\"grid\": [{\"over\": {\"elements\": \"x\", \"in\": \"bytes\"}}]", "$.kernels[0].grid[0].over",
        "unknown member \"in\""},
    {"\"layout\": {\"x\": {\"strides\": [{\"stride\": [\"x\", 0]}]}}", "$.kernels[0].layout.x.strides[0].stride",
        "a layout states strides; it cannot follow from them"},
    {"\"layout\": {\"x\": {\"offset\": 4, \"header\": [[\"n\", \"WG_X\"]]}}", "$.kernels[0].layout.x.header",
        "a header follows from dims, parameters and numbers, not from n * WG_X"},
    {"\"leaves\": [\"nans\"]", "$.kernels[0].leaves[0]", "\"nans\" is no convention; did you mean \"nan\"?"},
    {"\"leaves\": [\"ties\"]", "$.kernels[0].leaves[0]", "no input of relu shows the convention \"ties\""},
    {"\"leaves\": \"nan\"", "$.kernels[0].leaves", "expected array, found string"},
    {"\"push\": [{\"expression\": 3}]", "$.kernels[0].push[0].expression", "expected string, found int"},
    {"\"push\": [{\"expression\": \"n\", \"as\": \"uint\"}]", "$.kernels[0].push[0].as", "\"uint\" is no kind"},
    {"\"push\": [{\"expression\": \"n\", \"by\": 2}]", "$.kernels[0].push[0]", "unknown member \"by\""},
    {"\"push\": [{\"expression\": \"2 * m\"}]", "$.kernels[0].push[0].expression",
        "\"m\" is no dim, parameter or tunable in an expression"},
    {"\"push\": [{\"expression\": \"2 * (n\"}]", "$.kernels[0].push[0].expression",
        "the expression \"2 * (n\" is not read: expected ')' at its end"},
    {"\"push\": [{\"groups\": 3}]", "$.kernels[0].push[0].groups", "expected at most 2, found 3"},
    {"\"push\": [{\"inverse\": \"m\"}]", "$.kernels[0].push[0].inverse", "\"m\" is no dim or tunable"},
    {"\"push\": [{\"float\": \"n\", \"over\": \"n\"}]", "$.kernels[0].push[0]", "only \"float\", found 2 members"},
    {"\"push\": [{\"by\": 4}]", "$.kernels[0].push[0]", "expected a member \"over\""},
    {"\"push\": [{\"ceil\": \"n\"}]", "$.kernels[0].push[0]", "unknown member \"ceil\""},
    {"\"push\": [{\"pad\": 0}]", "$.kernels[0].push[0].pad", "from 1 to 64, found 0"},
    {"\"push\": [{\"pad\": 1, \"over\": 1}]", "$.kernels[0].push[0]", "only \"pad\", found 2 members"},
    {"\"push\": [\"n\", {\"pad\": 63}, \"n\"]", "$.kernels[0].push[2]", "expected at most 64 words"},
    {"\"mixes\": 0.5", "$.kernels[0].mixes", "expected at least 1, found 0.5"},
    {"\"mixes\": 300", "$.kernels[0].mixes", "expected at most 256, found 300"},
    {"\"spills\": 1", "$.kernels[0].spills", "expected string, found int"},
    {"\"parameters\": {\"in\": \"push\", \"members\": [\"n\"]}", "$.kernels[0].parameters", "here in both"},
    {"\"push\": null, \"parameters\": {\"in\": \"uniforms\", \"members\": [\"n\"]}", "$.kernels[0].parameters.in",
        "\"uniforms\" is no place of parameters; did you mean \"uniform\"?"},
    {"\"push\": null, \"parameters\": {\"in\": \"push\", \"members\": [\"n\"], \"binding\": 2}",
        "$.kernels[0].parameters", "unknown member \"binding\""},
    {"\"push\": null, \"parameters\": {\"in\": \"storage\", \"members\": [\"n\"]}", "$.kernels[0].parameters",
        "expected a member \"binding\""},
    {"\"push\": null, \"parameters\": [{\"in\": \"push\", \"members\": [1]}, {\"in\": \"push\", \"members\": [1]}]",
        "$.kernels[0].parameters[1]", "push constants are one block; here are two"},
    {"\"push\": null, \"parameters\": [{\"in\": \"storage\", \"binding\": 2, \"members\": [1]}, {\"in\": \"uniform\", "
     "\"binding\": 2, \"members\": [1]}]",
        "$.kernels[0].parameters[1]", "binding 2 of set 0 is that of other parameters too"},
    {"\"grid\": []", "$.kernels[0].grid", "one to three axes"},
    {"\"grid\": [{}, {}, {}, {}]", "$.kernels[0].grid", "at most 3 items, found 4"},
    {"\"grid\": [{\"by\": [\"n\"]}]", "$.kernels[0].grid[0]", "expected a member \"over\""},
    {"\"grid\": [{\"over\": [\"m\"]}]", "$.kernels[0].grid[0].over[0]", "\"m\" is no dim or tunable"},
    {"\"grid\": [{\"over\": [0]}]", "$.kernels[0].grid[0].over[0]", "from 1 to 2147483647, found 0"},
    {"\"grid\": [{\"over\": [1.5]}]", "$.kernels[0].grid[0].over[0]", "a dim, a tunable or an integer, found double"},
    {"\"grid\": [{\"over\": [\"n\"]}, {\"over\": [\"n\"]}], \"fold\": true", "$.kernels[0].fold",
        "only a grid of one axis folds; this one has 2"},
    {"\"grid\": [{\"over\": [\"n\"]}], \"fold\": \"z\"", "$.kernels[0].fold", "expected true, false or \"y\""},
    {"\"tunables\": {\"WG_X\": {\"id\": 1, \"values\": [1], \"default\": 1}}", "$.kernels[0].tunables.WG_X.id",
        "WG_X is constant 0, or a #define (-1)"},
    {"\"layout\": {\"z\": {}}", "$.kernels[0].layout.z", "\"z\" is no operand of relu"},
    {"\"layout\": {\"x\": 4}", "$.kernels[0].layout.x", "expected object, found int"},
    {"\"layout\": {\"x\": {\"ofset\": 4}}", "$.kernels[0].layout.x", "did you mean \"offset\"?"},
    {"\"layout\": {\"x\": {\"offset\": \"m\"}}", "$.kernels[0].layout.x.offset", "\"m\" is no dim"},
    {"\"layout\": {\"x\": {\"offset\": [\"n\", \"WG_X\"]}}", "$.kernels[0].layout.x.offset",
        "a layout follows from dims and numbers; WG_X is a tunable"},
    {"\"layout\": {\"x\": {\"strides\": [1, 2]}}", "$.kernels[0].layout.x.strides",
        "expected 1 strides, one for each axis of x, found 2"},
    {"\"layout\": {\"x\": {\"header\": [1]}}", "$.kernels[0].layout.x.header", "expected an \"offset\" beside it"},
    {"\"layout\": {\"x\": {\"offset\": 1, \"header\": [\"WG_X\"]}}", "$.kernels[0].layout.x.header",
        "from dims, parameters and numbers, not from WG_X"},
    {"\"layout\": {\"x\": {\"offset\": 1}}, \"in_place\": {\"y\": \"x\"}", "$.kernels[0].layout.x",
        "x is \"in_place\" or \"fixed\", and has no layout"},
    {"\"tune\": 1", "$.kernels[0].tune", "expected boolean, found int"},
    {"\"tune\": true", "$.kernels[0].tune", "expected a \"local_size\" beside it"},
    {"\"tune\": true, \"local_size\": [128]", "$.kernels[0].local_size[0]",
        "the shader is written for 128; the default of WG_X is 64"},
    {"\"passes\": [{\"local_size\": []}]", "$.kernels[0].passes[0].local_size", "one to three sizes"},
    {"\"passes\": [{\"local_size\": [0]}]", "$.kernels[0].passes[0].local_size[0]", "from 1 to 2147483647, found 0"},
    {"\"passes\": [{\"local_size\": [\"n\"]}]", "$.kernels[0].passes[0].local_size[0]", "from tunables, not from dims"},
    {"\"passes\": [{\"tune\": 1}]", "$.kernels[0].passes[0].tune", "expected boolean, found int"},
    {"\"constants\": []", "$.kernels[0].constants", "expected object, found array"},
    {"\"constants\": {\"A B\": 1}", "$.kernels[0].constants.A B",
        "the name or the number of a constant, found \"A B\""},
    {"\"constants\": {\"A\": \"T\"}", "$.kernels[0].constants.A", "\"T\" is no dim or tunable"},
    {"\"constants\": {\"A\": null}", "$.kernels[0].constants.A",
        "a tunable, a dim, a number, a product or an object, found null"},
    {"\"constants\": {\"A\": 4294967296}", "$.kernels[0].constants.A", "found 4294967296"},
    {"\"tunables\": {\"T\": {\"id\": 2, \"values\": [1], \"default\": 1}}", "$.kernels[0].tunables.T.id", "from 3 on"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [1], \"default\": 2}}", "$.kernels[0].tunables.T.default",
        "the default 2 is not among the values"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [], \"default\": 2}}", "$.kernels[0].tunables.T.values",
        "at least one"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [4, 4], \"default\": 4}}", "$.kernels[0].tunables.T.values[1]",
        "4 is listed twice"},
    {"\"tunables\": {\"WG_X\": {\"values\": [0], \"default\": 0}}", "$.kernels[0].tunables.WG_X.values[0]",
        "from 1 to 4294967295, found 0"},
    {"\"tunables\": {\"WG_X\": {\"values\": [4294967296], \"default\": 1}}", "$.kernels[0].tunables.WG_X.values[0]",
        "found 4294967296"},
    {"\"tunables\": {\"SUBGROUP\": {\"values\": [12], \"default\": 12}}", "$.kernels[0].tunables.SUBGROUP.values[0]",
        "0 or a power of two, found 12"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [1], \"default\": 1}, \"U\": {\"id\": 3, "
     "\"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.U", "the id 3 is that of T too"},
    {"\"tunables\": {\"n\": {\"id\": 3, \"values\": [1], \"default\": 1}}", "$.kernels[0].tunables.n",
        "\"n\" is a dim or parameter of relu"},
    {"\"tunables\": {\"A B\": {\"id\": 3, \"values\": [1], \"default\": 1}}", "$.kernels[0].tunables.A B",
        "an identifier"},
    {"\"tunables\": {\"T\": 7}", "$.kernels[0].tunables.T", "expected object, found int"},
    {"\"includes\": \"a\"", "$.kernels[0].includes", "expected array, found string"},
    {"\"includes\": [7]", "$.kernels[0].includes[0]", "expected string, found int"},
    {"\"variants\": {}", "$.kernels[0].variants", "expected array, found object"},
    {"\"variants\": []", "$.kernels[0].variants", "expected at least one variant"},
    {"\"variants\": [{}]", "$.kernels[0].variants[0]", "name"},
    {"\"variants\": [{\"name\": \"a/b\"}]", "$.kernels[0].variants[0].name", "found \"relu.a_a/b\""},
    {"\"variants\": [{\"name\": \"a\", \"push\": []}]", "$.kernels[0].variants[0]", "unknown member \"push\""},
    {"\"variants\": [{\"name\": \"a\", \"defines\": {\"F\": 7}}]", "$.kernels[0].variants[0].defines.F",
        "expected string, found int"},
    {"\"defines\": {\"F\": 7}", "$.kernels[0].defines.F", "expected string, found int"},
    {"\"defines\": {\"1F\": \"\"}", "$.kernels[0].defines.1F", "expected a macro"},
    {"\"defines\": {\"F(x\": \"\"}", "$.kernels[0].defines.F(x", "expected a macro"},
    {"\"defines\": {\"F\": \"1\\n#include\"}", "$.kernels[0].defines.F", "on one line"},
    {"\"shared\": [[\"WG_Q\"]]", "$.kernels[0].shared[0][0]", "did you mean \"WG_"},
    {"\"shared\": [\"WG_X\", 4]", "$.kernels[0].shared[0]", "expected array, found string"},
    {"\"types\": {\"z\": \"f16\"}", "$.kernels[0].types.z", "\"z\" is no operand of the case's type of relu"},
    {"\"types\": {\"x\": \"i32\"}", "$.kernels[0].types.x", "type of floats"},
    {"\"types\": {\"x\": \"f16\"}, \"in_place\": {\"y\": \"x\"}", "$.kernels[0].in_place.y",
        "y has not the shape and type of x: it cannot take its place"},
    {"\"in_place\": []", "$.kernels[0].in_place", "expected object, found array"},
    {"\"in_place\": {\"y\": 1}", "$.kernels[0].in_place.y", "expected string, found int"},
    {"\"in_place\": {\"x\": \"y\"}", "$.kernels[0].in_place.x", "\"x\" is no output of relu; did you mean \"y\"?"},
    {"\"in_place\": {\"y\": \"z\"}", "$.kernels[0].in_place.y", "\"z\" is no input of relu"},
    {"\"operator\": \"sum\", \"name\": \"sum.a\", \"in_place\": {\"y\": \"x\"}", "$.kernels[0].in_place.y",
        "y has not the shape and type of x: it cannot take its place"},
    {"\"in_place\": {\"y\": \"x\"}, \"bindings\": []", "$.kernels[0]", "operand \"x\" of relu has no binding"},
    {"\"zeroed\": \"y\"", "$.kernels[0].zeroed", "expected array, found string"},
    {"\"reads_back\": [\"x\"]", "$.kernels[0].reads_back[0]", "\"x\" is no output or scratch buffer"},
    {"\"zeroed\": [\"x\"]", "$.kernels[0].zeroed[0]", "\"x\" is no output or scratch buffer"},
    {"\"zeroed\": [\"y\"], \"bindings\": [\"x\"], \"in_place\": {\"y\": \"x\"}", "$.kernels[0].zeroed[0]",
        "y takes the place of an input"},
    {"\"zeroed\": [\"y\"], \"layout\": {\"y\": {\"offset\": 1}}", "$.kernels[0].zeroed[0]", "y has a layout, and only"},
    {"\"push\": [\"-imf\"]", "$.kernels[0].push[0]", "did you mean \"-inf\"?"},
    {"\"grid\": [{\"over\": [{}]}]", "$.kernels[0].grid[0].over[0]", "expected a member \"over\""},
    {"\"grid\": [{\"over\": {\"over\": \"q\"}}]", "$.kernels[0].grid[0].over.over", "\"q\" is no dim"},
    {"\"layout\": {\"x\": {\"strides\": [[{\"over\": 4, \"by\": \"WG_X\"}]]}}", "$.kernels[0].layout.x.strides[0]",
        "a layout follows from dims and numbers; WG_X is a tunable"},
    {"\"fixed\": {\"y\": 0}", "$.kernels[0].fixed.y", "\"y\" is no input of relu"},
    {"\"fixed\": {\"x\": \"0\"}", "$.kernels[0].fixed.x", "expected double, found string"},
    {"\"fixed\": {\"x\": 0.1}", "$.kernels[0].fixed.x", "0.1 is no value of f32, the type of x"},
    {"\"fixed\": {\"x\": 0}", "$.kernels[0]", "operand \"x\" is \"fixed\", so that no shader reads it, and bound"},
    {"\"fixed\": {\"x\": 0}, \"in_place\": {\"y\": \"x\"}", "$.kernels[0].fixed.x",
        "y takes the place of x; it cannot be fixed"},
    {"\"rules\": [{\"multiple\": [[\"n\"], [4]]}]", "$.kernels[0].rules[0]", "expected a member \"why\""},
    {"\"rules\": [{\"why\": \"w\"}]", "$.kernels[0].rules[0]", "one of multiple, at_most and equal, found 0"},
    {"\"rules\": [{\"equal\": [1, 1], \"at_most\": [1, 1], \"why\": \"w\"}]", "$.kernels[0].rules[0]", "found 2"},
    {"\"rules\": [{\"equal\": [1], \"why\": \"w\"}]", "$.kernels[0].rules[0].equal", "two products, [of, by], found 1"},
    {"\"seeds\": [{\"system\": \"s\", \"shape\": {\"WG_Y\": 4}}]", "$.kernels[0].seeds[0].shape.WG_Y",
        "kernel relu.a has no tunable \"WG_Y\"; did you mean \"WG_X\"?"},
    {"\"seeds\": [{\"system\": \"s\", \"shape\": {\"WG_X\": 4}}]", "$.kernels[0].seeds[0].shape.WG_X",
        "cannot be 4; its manifest lists 64, 128"},
    {"\"systems\": [], \"seeds\": []", "$.kernels[0]", "\"seeds\" is the old name of \"systems\"; here are both"},
    {"\"systems\": [{\"shape\": {}}]", "$.kernels[0].systems[0]", "expected a member \"system\""},
    {"\"spills\": 1", "$.kernels[0].spills", "expected string, found int"},
    {"\"defaults\": {}", "$.kernels[0].defaults", "expected array, found object"},
    {"\"defaults\": [{\"shape\": {}}]", "$.kernels[0].defaults[0]", "expected a member \"subgroup_sizes\""},
    {"\"defaults\": [{\"subgroup_sizes\": [32]}]", "$.kernels[0].defaults[0]", "expected a member \"shape\""},
    {"\"defaults\": [{\"subgroup_sizes\": [], \"shape\": {}}]", "$.kernels[0].defaults[0].subgroup_sizes",
        "at least one size"},
    {"\"defaults\": [{\"subgroup_sizes\": [16, 0], \"shape\": {}}]", "$.kernels[0].defaults[0].subgroup_sizes[1]",
        "from 1"},
    {"\"defaults\": [{\"subgroup_sizes\": [8], \"shape\": {\"WG_X\": 4}}]", "$.kernels[0].defaults[0].shape.WG_X",
        "cannot be 4; its manifest lists 64, 128"},
    {"\"seeds\": [{\"shape\": {}}]", "$.kernels[0].seeds[0]", "expected a member \"system\""},
    {"\"scratch\": {\"x\": {\"dtype\": \"f32\", \"over\": [1]}}", "$.kernels[0].scratch.x", "is an operand of relu"},
    {"\"scratch\": {\"s\": {\"dtype\": \"f3\", \"over\": [1]}}", "$.kernels[0].scratch.s.dtype",
        "did you mean \"f32\"?"},
    {"\"scratch\": {\"s\": {\"dtype\": \"f32\"}}", "$.kernels[0].scratch.s", "expected a member \"over\""},
    {"\"passes\": []", "$.kernels[0].passes", "at least one pass"},
    {"\"passes\": [{\"name\": \"first\"}]", "$.kernels[0].passes[0]", "unknown member \"name\""},
    {"\"passes\": [{}, {\"grid\": [{\"over\": [\"q\"]}]}]", "$.kernels[0].passes[1].grid[0].over[0]",
        "\"q\" is no dim"},
    {"\"passes\": [{\"repeat\": []}]", "$.kernels[0].passes[0].repeat", "expected object, found array"},
    {"\"passes\": [{\"repeat\": {}}]", "$.kernels[0].passes[0].repeat", "nothing ends it: expected a variable with"},
    {"\"passes\": [{\"repeat\": {\"m\": {}}}]", "$.kernels[0].passes[0].repeat", "nothing ends it"},
    {"\"passes\": [{\"repeat\": {\"m\": 3}}]", "$.kernels[0].passes[0].repeat.m", "expected object, found int"},
    {"\"passes\": [{\"repeat\": {\"n\": {\"to\": 3}}}]", "$.kernels[0].passes[0].repeat.n",
        "\"n\" is the name of something else"},
    {"\"passes\": [{\"repeat\": {\"WG_Q\": {\"to\": 3}}}]", "$.kernels[0].passes[0].repeat.WG_Q",
        "to be an identifier, found \"WG_Q\""},
    {"\"passes\": [{\"repeat\": {\"m\": {\"too\": 3}}}]", "$.kernels[0].passes[0].repeat.m", "did you mean \"to\"?"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"divide\": 2}}}]", "$.kernels[0].passes[0].repeat.m",
        "expected a member \"from\""},
    {"\"passes\": [{\"repeat\": {\"m\": {\"from\": \"n\", \"divide\": 1}}}]", "$.kernels[0].passes[0].repeat.m.divide",
        "expected 2 or more"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"from\": \"q\", \"divide\": 2}}}]", "$.kernels[0].passes[0].repeat.m.from",
        "\"q\" is no dim or tunable"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"multiply\": 2, \"add\": 2, \"to\": 9}}}]", "$.kernels[0].passes[0].repeat.m",
        "one of divide, multiply and add, found 2"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 2, \"below\": 9}}}]", "$.kernels[0].passes[0].repeat.m",
        "one of to and below, found both"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"from\": \"n\", \"divide\": 2, \"below\": 9}}}]",
        "$.kernels[0].passes[0].repeat.m.below", "a division ends with \"to\""},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": \"m\"}}}]", "$.kernels[0].passes[0].repeat.m.to",
        "\"m\" is no dim or tunable"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"passes\": []}]", "$.kernels[0].passes[0].passes",
        "at least one pass"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"passes\": [{}], \"push\": []}]", "$.kernels[0].passes[0]",
        "unknown member \"push\""},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"passes\": [{\"push\": [\"k\"]}]}]",
        "$.kernels[0].passes[0].passes[0].push[0]", "\"k\" is no dim, parameter or tunable"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}}, {\"push\": [\"m\"]}]", "$.kernels[0].passes[1].push[0]",
        "\"m\" is no dim, parameter or tunable"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"local_size\": [\"m\"]}]",
        "$.kernels[0].passes[0].local_size[0]", "from tunables, not from dims"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"bindings\": [\"x\", {\"turns\": []}]}]",
        "$.kernels[0].passes[0].bindings[1].turns", "at least one name"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"bindings\": [\"x\", {\"turns\": [\"z\"]}]}]",
        "$.kernels[0].passes[0].bindings[1].turns[0]", "\"z\" is no operand or scratch buffer"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"bindings\": [\"x\", {\"turns\": [\"y\"], \"frist\": \"x\"}]}]",
        "$.kernels[0].passes[0].bindings[1]", "did you mean \"first\"?"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"bindings\": [\"x\", {\"turns\": [\"y\"], \"last\": \"z\"}]}]",
        "$.kernels[0].passes[0].bindings[1].last", "\"z\" is no operand or scratch buffer"},
    {"\"passes\": [{\"repeat\": {\"m\": {\"to\": 3}}, \"bindings\": [\"x\", {\"turns\": [\"y\"], \"binding\": 0}]}]",
        "$.kernels[0].passes[0].bindings[1]", "binding 0 of set 0 is that of \"x\" too"},
    {"\"bindings\": [\"x\", {\"turns\": [\"y\"]}]", "$.kernels[0].bindings[1].turns", "only in passes with \"repeat\""},
    {"\"depth\": [{\"log2\": [\"q\"]}]", "$.kernels[0].depth[0].log2[0]", "\"q\" is no dim or tunable"},
    {"\"depth\": [{\"log2\": [\"n\"], \"by\": [\"q\"]}]", "$.kernels[0].depth[0].by[0]", "\"q\" is no dim or tunable"},
    {"\"depth\": [{\"log2\": [\"n\"], \"over\": [\"n\"]}]", "$.kernels[0].depth[0]", "unknown member \"over\""},
    {"\"nondeterministic\": true", "$.kernels[0].nondeterministic", "expected string, found boolean"},
};

// Builds a manifest: "common" has the good kernel, and the kernel itself has the row's members.
static const char *manifest_of(struct fixture *f, const char *members) {
    const char *name = strstr(members, "\"name\":") == members ? "" : "\"name\": \"relu.a\", ";
    return arena_format(&f->arena,
        "{\"common\": {\"operator\": \"relu\", \"summary\": \"s\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"],"
        " \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": [\"n\"], \"by\": "
        "[\"WG_X\"]}],"
        " \"tunables\": {\"WG_X\": {\"values\": [64, 128], \"default\": 64}}}, \"kernels\": "
        "[{%s%s}]}",
        name, members);
}

static void the_good_kernel_loads(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json", manifest_of(f, "\"fold\": true"));
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
}

static void each_row_says_where_and_what(void **state) {
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = fixture_write(f, "m.json", manifest_of(f, rows[i].members));
        if (fixture_load(f)) fail_msg("accepted: %s", rows[i].members);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        assert_says(f->err.text, arena_format(&f->arena, "%s: %s: ", path, rows[i].path));
        assert_says(f->err.text, rows[i].says);
    }
}

// Errors beyond a schema: missing files, unknown names, and relations between members.
static const char *const beyond_a_schema[] = {"is no operator", "found \"silu.scalar\"", "no shader file", "is no dim",
    "has no binding", " is that of ", "here are both", "here in both", "among the tunables too",
    "only a grid of one axis", "not among the values", "is a dim or parameter", "did you mean \"WG_",
    "its manifest lists", "is an operand of", "is no operand", "did you mean \"pad\"", "here are two",
    "at most 64 words", "is no input of", "is no output of", "cannot take its place", "is no value of", "and bound",
    "cannot be fixed", "n is a dim", "not from dims", "beside it", "is no operand of", "\"m\" is no dim",
    "did you mean \"-inf\"", "is no output or", "takes the place of an input", "has a layout", "is a tunable",
    "each axis of x", "not from WG_X", "has no layout", "the default of WG_X", "nothing ends it",
    "the name of something else", "to be an identifier, found \"WG_Q\"", "is no dim, parameter or tunable",
    "only in passes with", "counted from the end", "a layout states strides", "shows the convention",
    "not from n * WG_X", "is not read", "WG_X is constant 0", "from 3 on", "from 1 to 4294967295, found 0",
    "a power of two"};

static bool is_beyond_a_schema(const char *says) {
    for (size_t i = 0; i < sizeof beyond_a_schema / sizeof *beyond_a_schema; i++)
        if (strstr(says, beyond_a_schema[i])) return true;
    return false;
}

// Accepted members: each member in every form, and null where it removes a member of "common".
static const char *const accepted[] = {
    "\"fold\": true",
    "\"summary\": \"\", \"nondeterministic\": \"\"",
    "\"entry\": \"other_main\"",
    "\"dtypes\": [\"f32\", \"f32\"]",
    "\"arithmetic\": \"f16\"",
    "\"tunables\": {\"WG_X\": {\"id\": -1, \"values\": [4294967295], \"default\": 4294967295}}",
    "\"tunables\": {\"WG_X\": {\"id\": 0, \"values\": [1], \"default\": 1}, \"T\": {\"id\": null, \"values\": [0], "
    "\"default\": 0}}",
    "\"tunables\": {\"SUBGROUP\": {\"values\": [0, 1, 2147483648], \"default\": 0}, \"WG_Z\": {\"values\": [2], "
    "\"default\": 2}}",
    "\"local_size\": null",
    "\"layout\": {\"x\": {}, \"y\": {\"offset\": [\"n\", 4], \"strides\": [\"n\"], \"header\": [\"n\", 1.5, {\"pad\": "
    "2}]}}",
    "\"layout\": {\"x\": {\"offset\": 4, \"strides\": null, \"header\": null}}",
    "\"local_size\": [64], \"tune\": true",
    "\"types\": {\"x\": \"f16\", \"y\": \"bf16\"}",
    "\"constants\": {\"3\": 1}",
    "\"passes\": [{\"local_size\": [64, \"WG_X\", [\"WG_X\", 2]], \"tune\": true, \"constants\": {\"A\": 1}}, "
    "{\"tune\": false}]",
    "\"tunables\": {\"T\": {\"values\": [1], \"default\": 1}}",
    "\"constants\": {\"A\": \"WG_X\", \"B\": -1, \"C\": 0.5, \"D\": true, \"E\": [\"WG_X\", 4], \"F\": {\"over\": "
    "\"WG_X\", \"by\": 8}}",
    "\"push\": [\"n\", \"nan\", \"inf\", \"-inf\", [{\"over\": [\"n\", 3], \"by\": \"WG_X\"}, 4]]",
    "\"zeroed\": []",
    "\"reads_back\": [\"y\", \"s\"], \"scratch\": {\"s\": {\"dtype\": \"f32\", \"over\": 1}}",
    "\"zeroed\": [\"y\", \"s\"], \"scratch\": {\"s\": {\"dtype\": \"f32\", \"over\": 1}}",
    "\"layout\": {\"x\": {\"strides\": [{\"over\": \"n\", \"by\": 4}]}}",
    "\"leaves\": [\"nan\", \"subnormals\"]",
    "\"push\": [{\"elements\": \"x\"}, {\"extent\": [\"x\", -4]}, {\"stride\": [\"y\", 0], \"in\": \"bytes\"}, "
    "{\"length\": \"x\", \"in\": \"elements\"}, [{\"stride\": [\"x\", -2]}, 4]]",
    "\"push\": [{\"expression\": \"-n^2 / (WG_X + 1)\"}, {\"expression\": \"n + 1\", \"as\": \"int\"}, "
    "{\"expression\": \"n\", \"as\": null}]",
    "\"layout\": {\"x\": {\"strides\": [{\"elements\": \"y\"}]}}",
    "\"push\": []",
    "\"push\": null",
    "\"push\": [\"n\", \"WG_X\"]",
    "\"push\": null, \"uniform\": {\"binding\": 2, \"members\": [\"n\"]}",
    "\"push\": null, \"uniform\": {\"set\": 3, \"binding\": 999, \"members\": [\"n\", \"WG_X\"]}",
    "\"uniform\": null",
    "\"push\": [\"n\", \"pad\", {\"pad\": 2}, -1, 4294967295, 0.5, [\"n\", 4], {\"over\": \"n\", \"by\": [\"WG_X\", "
    "2]}, "
    "{\"length\": \"y\"}, {\"groups\": 2}, {\"float\": \"n\"}, {\"inverse\": [\"n\"]}, {\"inverse_sqrt\": \"n\"}]",
    "\"push\": null, \"parameters\": {\"in\": \"storage\", \"binding\": 2, \"members\": [\"n\", \"pad\"]}",
    "\"push\": null, \"parameters\": [{\"in\": \"push\", \"members\": []}, {\"in\": \"uniform\", \"set\": 1, "
    "\"binding\": 0, "
    "\"members\": [1]}]",
    "\"parameters\": null",
    "\"bindings\": [{\"name\": \"y\", \"binding\": 7}, {\"name\": \"x\", \"set\": null, \"binding\": 1}]",
    "\"bindings\": [\"x\", \"x\", \"y\"]",
    "\"bindings\": [\"x\"], \"in_place\": {\"y\": \"x\"}",
    "\"bindings\": [\"y\"], \"in_place\": {\"y\": \"x\"}",
    "\"bindings\": [\"y\"], \"fixed\": {\"x\": 0.5}",
    "\"bindings\": [\"y\"], \"fixed\": {\"x\": -1}",
    "\"grid\": [{\"over\": \"n\"}, {\"over\": 7, \"by\": null}, {\"over\": [], \"by\": [\"WG_Y\", 2]}]",
    "\"shared\": [[\"WG_X\", 4], [], [\"WG_Z\"]]",
    "\"shared\": []",
    "\"cooperative\": {\"m\": 16, \"n\": \"WG_X\", \"k\": [2, 8], \"a\": \"f16\", \"b\": \"i8\", \"c\": \"u64\", "
    "\"result\": \"f64\"}",
    "\"rules\": [{\"multiple\": [\"n\", [4]], \"why\": \"\"}, {\"equal\": null, \"at_most\": [1, 2], \"why\": \"w\"}]",
    "\"systems\": [{\"system\": \"\", \"shape\": {}}]",
    "\"defaults\": []",
    "\"spills\": \"\"",
    "\"defaults\": [{\"subgroup_sizes\": [32, 8, 16], \"shape\": {\"WG_X\": 64}}]",
    "\"seeds\": [{\"system\": \"\", \"shape\": {}}, {\"system\": \"s\", \"shape\": {\"WG_X\": 64}}]",
    "\"scratch\": {\"a b\": {\"dtype\": \"q4_0\", \"over\": \"n\", \"by\": null}}",
    "\"depth\": [{\"log2\": \"n\", \"by\": 2}, {\"over\": [\"n\"], \"by\": \"WG_X\"}, {\"over\": 1}]",
    "\"defines\": {\"F\": \"\", \"F(a, b)\": \"(a) + (b)\"}",
    "\"includes\": []",
    "\"includes\": [\"a/b\", \"/c\"]",
    "\"variants\": [{\"name\": \"b\", \"defines\": {\"T\": \"float\"}}, {\"name\": \"c.d\", \"dtypes\": [\"f16\"], "
    "\"types\": {\"x\": \"f32\"}, \"constants\": {\"A\": 1}, \"summary\": \"\", \"features\": [], \"notes\": []}]",
    "\"passes\": [{\"repeat\": {\"m\": {\"from\": {\"over\": \"n\", \"by\": 2}, \"divide\": 2, \"to\": 1}}, "
    "\"passes\": [{}, {\"repeat\": "
    "{\"k\": {\"from\": [\"m\", 2], \"multiply\": \"WG_X\", \"below\": \"n\"}, \"j\": {}, \"i\": {\"from\": 0, "
    "\"add\": 2}}, \"push\": "
    "[\"m\", \"k\", {\"over\": \"j\", \"by\": 2}], \"grid\": [{\"over\": \"k\"}], \"bindings\": [{\"turns\": [\"x\", "
    "\"y\"], "
    "\"first\": \"x\", \"last\": \"y\"}, {\"turns\": [\"y\"], \"binding\": 7, \"set\": 1}]}]}]",
    "\"passes\": [{}, {\"entry\": \"last\", \"push\": null, \"uniform\": {\"binding\": 2, \"members\": [\"n\"]}}]",
};

static void add_case(struct json_object *cases, bool accepted_by_reader, const char *manifest, const char *what) {
    struct json_object *one = json_object_new_object(), *parsed = json_tokener_parse(manifest);
    assert_non_null(parsed);
    json_put_bool(one, "accepted", accepted_by_reader);
    json_put(one, "manifest", parsed);
    json_put_string(one, "what", what);
    json_object_array_add(cases, one);
}

// Lists every name known to the reader, so the schema must have each new feature, dtype or type of matrix elements.
static const char *every_name(struct fixture *f) {
    struct known_names names = {0};
    struct text list = {0};
    for (int i = 0; i < FEATURE_COUNT; i++) names_add(&names, feature_name((enum feature)i));
    text_append(&list, "\"features\": [");
    for (size_t i = 0; i < names.count; i++) text_format(&list, "%s\"%s\"", i ? ", " : "", names.items[i]);
    names = (struct known_names){0};
    names_of_dtypes(&names, NULL);
    text_append(&list, "], \"dtypes\": [");
    for (size_t i = 0; i < names.count; i++) text_format(&list, "%s\"%s\"", i ? ", " : "", names.items[i]);
    text_append(&list, "]");
    const char *members = arena_copy(&f->arena, text_str(&list));
    text_free(&list);
    return members;
}

static const char *component_members(struct fixture *f, int component) {
    const char *name = component_name((enum component)component);
    return arena_format(&f->arena,
        "\"cooperative\": {\"m\": 8, \"n\": 8, \"k\": 8, \"a\": \"%s\", \"b\": \"%s\", \"c\": \"%s\", \"result\": "
        "\"%s\"}",
        name, name, name, name);
}

static void add_accepted(struct fixture *f, struct json_object *cases, const char *members) {
    fixture_write(f, "m.json", manifest_of(f, members));
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    add_case(cases, true, manifest_of(f, members), members);
}

// A member may come from the kernel, from "common" or from each pass, but one of them must have it.
static void add_layers(struct fixture *f, struct json_object *cases) {
    static const struct {
        bool accepted;
        const char *manifest;
    } layered[] = {
        {true, "{\"common\": null, \"kernels\": [{\"local_size\": [64, 1, 2], \"name\": \"relu.a\", \"operator\": "
               "\"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
               "\"passes\": [{\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}]}]}"},
        {true, "{\"common\": {\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
               "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}, \"kernels\": [{}]}"},
        {false,
            "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
            "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"]}]}"},
        {false,
            "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
            "\"shader\": \"k.comp\", \"passes\": [{\"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}, "
            "{\"grid\": [{\"over\": 1}]}]}]}"},
        {false, "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"dtypes\": [\"f32\"], "
                "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}]}"},
        {false, "{\"kernels\": []}"},
        {false, "[]"},
    };
    for (size_t i = 0; i < sizeof layered / sizeof *layered; i++) {
        fixture_write(f, "m.json", layered[i].manifest);
        assert_int_equal(fixture_load(f), layered[i].accepted);
        add_case(cases, layered[i].accepted, layered[i].manifest, layered[i].manifest);
    }
}

static void the_schema_takes_what_the_reader_takes(void **state) {
    struct fixture *f = *state;
    const char *python = needs_python("json jsonschema");
    struct json_object *cases = json_object_new_array();
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) add_accepted(f, cases, accepted[i]);
    for (int i = 0; i < COMPONENT_COUNT; i++) add_accepted(f, cases, component_members(f, i));
    add_accepted(f, cases, every_name(f));
    add_layers(f, cases);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!is_beyond_a_schema(rows[i].says)) add_case(cases, false, manifest_of(f, rows[i].members), rows[i].members);
    const char *path = fixture_write(f, "cases.list", json_object_to_json_string_ext(cases, 0));
    json_object_put(cases);
    assert_int_equal(python_run(python, "harness/shader/manifest/tests/manifest_schema_check.py", path), 0);
}

static void an_error_in_common_is_shown_in_common(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json", "{\"common\": {\"operator\": \"reluu\"}, \"kernels\": [{\"name\": \"relu.a\"}]}");
    assert_false(fixture_load(f));
    assert_says(f->err.text, "$.common.operator: ");
}

// A mistake hides no other: not in its kernel, in its file or in another file. Kernels without a mistake are loaded.
static void all_mistakes_are_reported_at_once(void **state) {
    struct fixture *f = *state;
    static const char *const said[] = {"a.json:1: ", "b.json: $.kernels[0].bindings[1]: \"z\" is no operand",
        "b.json: $.kernels[0].push[1]: \"m\" is no dim",
        "b.json: $.kernels[0].tunables.T: expected a member \"values\"",
        "b.json: $.kernels[0].tunables.U.default: the default 3", "b.json: $.kernels[0].grid[0].over[0]: \"mm\" is no",
        "b.json: $.kernels[0].rules[0]: expected a member \"why\"", "b.json: $.kernels[1].operator: \"reluu\" is no",
        "b.json: $.kernels[3].dtypes[0]: \"f33\" is no", "b.json: $.kernels[3].dtypes[2]: \"f34\" is no",
        "b.json: $.kernels[3].shader: there is no shader file", "b.json: $.kernels[4]: unknown member \"tunable\"",
        "c.json: the kernel \"relu.good\" is in "};
#define GOOD_BUT(name, members)                                                                                        \
    "{\"name\": \"" name                                                                                               \
    "\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", \"dtypes\": [\"f32\"], "                   \
    "\"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": [\"n\"]}]" members "}"
    fixture_write(f, "a.json", "{");
    fixture_write(f, "b.json",
        "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"z\"], \"push\": [\"n\", \"m\", \"T\"], \"tunables\": {\"T\": "
        "{\"id\": 3, \"default\": 1}, \"U\": {\"id\": 4, \"values\": [1], \"default\": 3}}, \"grid\": "
        "[{\"over\": "
        "[\"mm\"], \"by\": [\"T\", \"U\"]}], \"rules\": [{\"equal\": [1, 1]}]}, {\"name\": \"reluu.a\", \"operator\": "
        "\"reluu\"}, " GOOD_BUT("relu.good", "") ", {\"name\": \"relu.b\", \"operator\": \"relu\", \"summary\": \"\", "
                                                 "\"shader\": \"none.comp\", \"dtypes\": [\"f33\", \"f32\", \"f34\"], "
                                                 "\"bindings\": [\"x\", \"y\"], \"grid\": "
                                                 "[{\"over\": [\"n\"]}]}, " GOOD_BUT(
                                                     "relu.c", ", \"tunable\": {}") "]}");
    fixture_write(f, "c.json", "{\"kernels\": [" GOOD_BUT("relu.good", "") ", " GOOD_BUT("relu.other", "") "]}");
    assert_false(fixture_load(f));
    assert_int_equal(f->kernels.count, 2);
    assert_non_null(kernel_named(&f->kernels, "relu.good"));
    assert_non_null(kernel_named(&f->kernels, "relu.other"));
    const struct mistakes *mistakes = &f->kernels.mistakes;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        bool met = false;
        for (size_t s = 0; s < mistakes->count; s++) met |= strstr(mistakes->items[s], said[i]) != NULL;
        if (!met) fail_msg("not said: %s", said[i]);
    }
    for (size_t s = 0; mistakes->count != sizeof said / sizeof *said && s < mistakes->count; s++)
        print_message("%s\n", mistakes->items[s]);
    assert_int_equal(mistakes->count, sizeof said / sizeof *said);
}

// A mistake in "common" appears in every kernel and counts once.
static void a_mistake_in_common_is_reported_once(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json",
        "{\"common\": {\"dtypes\": [\"f33\"], \"summery\": \"\"}, \"kernels\": [" GOOD_BUT(
            "relu.a", "") ", {\"name\": "
                          "\"relu.b\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", "
                          "\"bindings\": [\"x\", \"y\"], "
                          "\"grid\": [{\"over\": [\"n\"]}]}, {\"name\": \"relu.c\", \"operator\": \"relu\", "
                          "\"summary\": \"\", \"shader\": "
                          "\"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": [\"n\"]}]}]}");
    assert_false(fixture_load(f));
    assert_int_equal(f->kernels.count, 0);
    assert_int_equal(f->kernels.mistakes.count, 2);
}

static void frames(void **state) {
    struct fixture *f = *state;
    static const char *const bad[][2] = {{"[]", "$: expected object, found array"}, {"{", ":1: "}, {"", ":1: "},
        {"{\"kernels\": []}", "$.kernels: expected at least one kernel"}, {"{}", "$: expected a member \"kernels\""},
        {"{\"kernels\": [7]}", "$.kernels[0]: expected object, found int"},
        {"{\"kernel\": []}", "did you mean \"kernels\"?"},
        {"{\"common\": 4, \"kernels\": [{}]}", "$.common: expected object"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_write(f, "m.json", bad[i][0]);
        if (fixture_load(f)) fail_msg("accepted: %s", bad[i][0]);
        assert_says(f->err.text, bad[i][1]);
    }
}

static void shapes_beyond_count(void **state) {
    struct fixture *f = *state;
    char list[400] = "";
    for (int i = 0; i < KERNEL_VALUES; i++) sprintf(list + strlen(list), "%s%d", i ? "," : "", i + 1);
    fixture_write(f, "m.json",
        manifest_of(f, arena_format(&f->arena,
                           "\"tunables\": {\"A\": {\"id\": 3, \"values\": [%s], \"default\": 1}, \"B\": "
                           "{\"id\": 4, \"values\": [%s],"
                           " \"default\": 1}, \"C\": {\"id\": 5, \"values\": [%s], \"default\": 1}, \"D\": "
                           "{\"id\": 6, \"values\": [%s], \"default\": 1}}",
                           list, list, list, list)));
    assert_false(fixture_load(f));
    assert_says(f->err.text, "expected at most 100000 shapes; the tunables up to this one give 663552");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_good_kernel_loads, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(each_row_says_where_and_what, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_schema_takes_what_the_reader_takes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_error_in_common_is_shown_in_common, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_mistakes_are_reported_at_once, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_mistake_in_common_is_reported_once, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(frames, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shapes_beyond_count, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
