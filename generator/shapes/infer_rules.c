/* Runs rules: passes facts to Lua, reads facts back, and finds the position of errors in rules. */
#include "shapes/infer_rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "shapes/attributes.h"
#include "shapes/rules_builtin.h"
#include "lua/lua_state.h"

#define MAX_MEMORY ((size_t)256 << 20)
#define CALL_STEPS INT64_C(20000000)
#define MAX_RANK   256 /* limit for the results of rules */

/* Entries that each tensor of a sequence counts for, in addition to its dims. */
#define ENTRIES_PER_TENSOR 2

/* The chunk name: "=rules7" as the source, "rules7:31: text" in messages. */
#define CHUNK "rules"

static const char rules_key = 0; /* operator -> function */
static const char node_key = 0;  /* the node that the rule was called with */

/* Registry key: file -> what it returned, or true while it runs. */
static const char *const loaded_key = "splitgen loaded";

struct sg_rules_job {
    const sg_graph_node *node;
    const sg_fact *const *inputs;
    sg_fact **outputs;
};

static sg_rules *rules_of(lua_State *L)
{
    return (sg_rules *)sg_meter_of(L);
}

/* --- places ----------------------------------------------------------------------------------- */

/* Stores the position of the innermost rule. */
static void note_place(sg_meter *meter, lua_State *L)
{
    sg_rules *rules = (sg_rules *)meter;
    int level = 0;
    rules->line = 0;
    rules->file = sg_lua_chunk_running(L, CHUNK, &level, &rules->line);
}

static bool in_users_file(const sg_rules *rules)
{
    return rules->user != NULL && rules->file == rules->nbuiltin;
}

static sg_span place(sg_rules *rules)
{
    if (rules->file < 0 || rules->file > rules->nbuiltin) {
        return rules->user != NULL ? sg_source_line_span(rules->user, 1) : sg_span_none();
    }
    const sg_source **source = &rules->sources[rules->file];
    if (*source == NULL) {
        const sg_rules_builtin *file = &sg_rules_builtins[rules->file];
        *source = sg_source_new(rules->arena, file->name, (const char *)file->text, file->len);
    }
    return sg_source_line_span(*source, rules->line > 0 ? rules->line : 1);
}

/* A copy of a message in the arena, on one line. */
static const char *kept(sg_arena *arena, const char *text)
{
    enum { LONGEST = 500 };
    char *copy = sg_arena_strndup(arena, text, strnlen(text, LONGEST));
    for (char *at = copy; *at != '\0'; ++at) {
        *at = *at == '\n' ? ' ' : *at;
    }
    return copy;
}

/* Reports an error in the rule itself, at the beginning of its function. */
static int broken(lua_State *L, const char *fmt, ...) SG_PRINTF(2, 3);
static int broken(lua_State *L, const char *fmt, ...)
{
    sg_rules *rules = rules_of(L);
    va_list ap;
    va_start(ap, fmt);
    rules->message = sg_arena_vprintf(rules->arena, fmt, ap);
    va_end(ap);
    rules->outcome = SG_RULES_BROKEN;
    lua_pushstring(L, "broken");
    return lua_error(L);
}

/* check_attribute(node, name, type): ends the rule if the attribute has another type. Only checks
 * the node that the rule was called with, not one that the rule made up. */
static int check_attribute(lua_State *L)
{
    sg_rules *rules = rules_of(L);
    const char *name = luaL_checkstring(L, 2);
    const char *type = luaL_checkstring(L, 3);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &node_key);
    if (rules->job == NULL || !lua_rawequal(L, 1, -1)) {
        return 0;
    }
    rules->wrong = sg_attribute_wrong(rules->job->node, name, type);
    if (rules->wrong == NULL) {
        return 0;
    }
    rules->wanted = sg_arena_strdup(rules->arena, type);
    rules->outcome = SG_RULES_MISTYPED;
    lua_pushliteral(L, "mistyped");
    return lua_error(L);
}

/* warn(text): a warning about the node. */
static int warn(lua_State *L)
{
    const sg_rules *rules = rules_of(L);
    const char *text = luaL_checkstring(L, 1);
    if (rules->job != NULL && !rules->quiet) {
        const sg_graph_node *node = rules->job->node;
        sg_diag_warn(rules->diag, node->span, "%s '%s': %s", node->op_type,
                     sg_graph_node_name(node), kept(rules->arena, text));
    }
    return 0;
}

static int on_error(lua_State *L)
{
    sg_rules *rules = rules_of(L);
    if (rules->meter.spent != SG_METER_SPENT_NOTHING || rules->outcome == SG_RULES_BROKEN ||
        rules->outcome == SG_RULES_MISTYPED) {
        return 1;
    }
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    note_place(&rules->meter, L);
    rules->outcome = text != NULL && text == rules->refused ? SG_RULES_REFUSED : SG_RULES_BROKEN;
    size_t line = 0;
    rules->message = text != NULL ? kept(rules->arena, sg_lua_chunk_message(text, CHUNK, &line))
                                  : "an error without a message";
    return 1;
}

/* --- what rules may call ---------------------------------------------------------------------- */

/* error(text): the rule cannot infer this node, for this reason. No position is added to the
 * text. */
static int refuse(lua_State *L)
{
    sg_rules *rules = rules_of(L);
    lua_settop(L, 1);
    rules->refused = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    return lua_error(L);
}

static int refuse_unless(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_toboolean(L, 1)) {
        return lua_gettop(L);
    }
    lua_remove(L, 1);
    if (lua_gettop(L) == 0) {
        lua_pushliteral(L, "assertion failed!");
    }
    return refuse(L);
}

/* Runs a file and leaves its result on the stack. */
static void run_file(lua_State *L, int file)
{
    sg_rules *rules = rules_of(L);
    const sg_str text =
        file < rules->nbuiltin
            ? (sg_str){(const char *)sg_rules_builtins[file].text, sg_rules_builtins[file].len}
            : (sg_str){rules->user->text, rules->user->len};
    size_t line = 0;
    const int status = sg_lua_chunk_load(L, text, CHUNK, file, &line);
    if (status != LUA_OK) {
        rules->file = file;
        rules->line = line;
        sg_meter_rethrow(L, status);
        const char *error = lua_isstring(L, -1) ? lua_tostring(L, -1) : "";
        const char *message = kept(rules->arena, sg_lua_chunk_message(error, CHUNK, &line));
        rules->line = line;
        broken(L, "%s", message);
    }
    lua_call(L, 0, 1);
}

/* element_type(v): the name of the type with this number in ONNX's TensorProto.DataType, or with
 * this word ("FLOAT"); nil if there is none. */
static int element_type(lua_State *L)
{
    const bool is_word = lua_type(L, 1) == LUA_TSTRING;
    sg_dtype found = SG_DTYPE_COUNT;
    if (is_word && !sg_dtype_find(sg_str_from(lua_tostring(L, 1)), &found)) {
        return 0;
    }
    const lua_Integer number = is_word ? 0 : lua_tointeger(L, 1);
    for (int i = 0; number > 0 && i < SG_DTYPE_COUNT; ++i) {
        if (sg_dtype_get((sg_dtype)i)->onnx_enum == number) {
            found = (sg_dtype)i;
        }
    }
    lua_pushstring(L, found < SG_DTYPE_COUNT ? sg_dtype_get(found)->name : NULL);
    return 1;
}

/* require "rules" gives the user's file access to the built-in rules, and them to each other. */
static int require_builtin(lua_State *L)
{
    const sg_rules *rules = rules_of(L);
    const char *name = luaL_checkstring(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, loaded_key);
    for (int i = 0; i < rules->nbuiltin; ++i) {
        const char *file = sg_rules_builtins[i].name;
        const size_t stem = strcspn(file, ".");
        if (strlen(name) != stem || strncmp(file, name, stem) != 0) {
            continue;
        }
        if (lua_rawgeti(L, -1, i + 1) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushboolean(L, true);
            lua_rawseti(L, -2, i + 1);
            run_file(L, i);
            lua_pushvalue(L, -1);
            lua_rawseti(L, -3, i + 1);
        } else if (lua_isboolean(L, -1)) {
            return luaL_error(L, "'%s' is required by itself", name);
        }
        return 1;
    }
    return luaL_error(L, "there are no built-in rules called '%s'", name);
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Pushes the key of an operator in the table of rules. Names of OpenVINO operators are
 * case-insensitive. */
static void push_key(lua_State *L, const char *name)
{
    static const char openvino[] = "openvino.";
    if (strncmp(name, openvino, sizeof openvino - 1) != 0) {
        lua_pushstring(L, name);
        return;
    }
    luaL_Buffer key;
    luaL_buffinit(L, &key);
    for (const char *at = name; *at != '\0'; ++at) {
        luaL_addchar(&key, (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
    }
    luaL_pushresult(&key);
}

/* Moves the rules of the table on top of the stack to the table below it. */
static void add_rules(lua_State *L, int file)
{
    sg_rules *rules = rules_of(L);
    rules->file = file;
    rules->line = 1;
    if (!lua_istable(L, -1)) {
        broken(L, "a file of rules returns a table of functions by operator, not a %s",
               luaL_typename(L, -1));
    }
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            broken(L, "the name of an operator is a string, not a %s", luaL_typename(L, -2));
        }
        if (!lua_isfunction(L, -1)) {
            broken(L, "the rule for '%s' is a function, not a %s", lua_tostring(L, -2),
                   luaL_typename(L, -1));
        }
        push_key(L, lua_tostring(L, -2));
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
}

/* Loads the built-in files in order, then the user's; later rules replace earlier ones. */
static int load_rules(lua_State *L)
{
    static const char sums[] = "sums"; /* global only while the built-in files are loaded */
    sg_rules *rules = rules_of(L);
    sg_sum_lua_open(L, &rules->sums);
    lua_setglobal(L, sums);
    lua_newtable(L);
    for (int i = 0; i < rules->nbuiltin; ++i) {
        const char *file = sg_rules_builtins[i].name;
        lua_pushcfunction(L, require_builtin);
        lua_pushlstring(L, file, strcspn(file, "."));
        lua_call(L, 1, 1);
        add_rules(L, i);
    }
    lua_pushnil(L);
    lua_setglobal(L, sums);
    if (rules->user != NULL) {
        run_file(L, rules->nbuiltin);
        add_rules(L, rules->nbuiltin);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &rules_key);
    return 0;
}

/* The instructions that one call may take; it grows with the number of tensors of the node. */
static int64_t steps_of_call(const sg_graph_node *node)
{
    enum { STEPS_PER_TENSOR = 20000 };
    return CALL_STEPS + (node != NULL ? STEPS_PER_TENSOR * (node->ninputs + node->noutputs) : 0);
}

static bool report_budget(sg_rules *rules, const sg_graph_node *node)
{
    const char *op = node != NULL
                         ? sg_arena_printf(rules->arena, "the rule for '%s'", node->op_type)
                         : "the file of rules";
    if (rules->meter.spent == SG_METER_SPENT_STEPS) {
        return sg_diag_fail(rules->diag, SG_EXIT_BUDGET, place(rules),
                            "%s is still running after %" PRId64
                            " instructions; does it have a loop that never ends?",
                            op, steps_of_call(node));
    }
    return sg_diag_fail(rules->diag, SG_EXIT_BUDGET, place(rules), "%s %s", op,
                        sg_meter_explain(&rules->meter).text);
}

/* Runs a C function in protected mode, with a budget of its own. */
static bool run_protected(sg_rules *rules, lua_CFunction body)
{
    lua_State *L = rules->meter.L;
    const sg_graph_node *node = rules->job != NULL ? rules->job->node : NULL;
    rules->meter.max_steps = rules->meter.steps + steps_of_call(node);
    rules->outcome = SG_RULES_FINE;
    rules->refused = NULL;
    rules->message = NULL;
    rules->file = -1;
    lua_settop(L, 0);
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, body);
    return sg_lua_state_run(&rules->meter, 0);
}

bool sg_rules_open(sg_rules *rules, sg_arena *arena, sg_diag *diag, const sg_source *user,
                   int64_t max_entries)
{
    *rules = (sg_rules){
        .meter = {.max_steps = CALL_STEPS, .max_memory = MAX_MEMORY, .note_place = note_place},
        .arena = arena,
        .diag = diag,
        .user = user,
        .nbuiltin = (int)sg_rules_builtin_count,
        .max_entries = max_entries,
        .sums = {.kept = arena},
        .file = -1};
    rules->sources[rules->nbuiltin] = user;
    static const sg_lua_function own[] = {{"assert", refuse_unless},
                                          {"check_attribute", check_attribute},
                                          {"element_type", element_type},
                                          {"error", refuse},
                                          {"require", require_builtin},
                                          {"warn", warn},
                                          {NULL, NULL}};
    if (!sg_lua_state_open(&rules->meter, SG_LUA_RULE, own, sg_lua_base_format)) {
        return sg_diag_fail(diag, SG_EXIT_BUDGET, sg_span_none(), "rules %s",
                            sg_meter_explain(&rules->meter).text);
    }
    if (run_protected(rules, load_rules)) {
        return true;
    }
    if (rules->meter.spent != SG_METER_SPENT_NOTHING) {
        return report_budget(rules, NULL);
    }
    const char *message = rules->message != NULL ? rules->message : "the rules do not load";
    return sg_diag_fail(diag, in_users_file(rules) ? SG_EXIT_INPUT : SG_EXIT_BUG, place(rules),
                        "%s", message);
}

void sg_rules_close(sg_rules *rules)
{
    sg_meter_close(&rules->meter);
    sg_arena_free(&rules->sums.scratch);
}

/* --- facts to Lua ----------------------------------------------------------------------------- */

static void push_entries(lua_State *L, const sg_fact_entry *entries, int64_t count)
{
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 0; i < count; ++i) {
        switch (entries[i].kind) {
        case SG_FACT_INT:
            lua_pushinteger(L, entries[i].as.integer);
            break;
        case SG_FACT_FLOAT:
            lua_pushnumber(L, entries[i].as.real);
            break;
        case SG_FACT_SUM:
            sg_sum_lua_push(L, entries[i].as.sum);
            break;
        case SG_FACT_UNKNOWN:
            lua_pushboolean(L, false);
            break;
        }
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_fact(lua_State *L, const sg_fact *fact)
{
    enum { FIELDS = 5 };
    luaL_checkstack(L, FIELDS, NULL); /* recursive for the tensors of a sequence */
    lua_createtable(L, 0, FIELDS);
    if (fact->dtype != SG_GRAPH_DTYPE_UNKNOWN) {
        lua_pushstring(L, sg_dtype_get((sg_dtype)fact->dtype)->name);
        lua_setfield(L, -2, "dtype");
    }
    if (fact->has_rank) {
        push_entries(L, fact->dims, fact->rank);
        lua_setfield(L, -2, "shape");
    }
    if (fact->has_values) {
        push_entries(L, fact->values, fact->count);
        lua_setfield(L, -2, "value");
    }
    if (fact->is_sequence) {
        lua_createtable(L, (int)fact->nelements, 0);
        for (int64_t i = 0; i < fact->nelements; ++i) {
            push_fact(L, fact->elements[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, "sequence");
    } else if (fact->each != NULL) {
        push_fact(L, fact->each);
        lua_setfield(L, -2, "each");
    }
}

/* Pushes entry i of a list, or the single value. False: nothing is pushed, because Lua cannot use
 * it. */
static bool push_attribute_entry(lua_State *L, const sg_graph_attribute *attribute, int64_t i)
{
    switch (attribute->kind) {
    case SG_GRAPH_ATTRIBUTE_INT:
    case SG_GRAPH_ATTRIBUTE_INTS:
        lua_pushinteger(L, attribute->ints[i]);
        return true;
    case SG_GRAPH_ATTRIBUTE_FLOAT:
    case SG_GRAPH_ATTRIBUTE_FLOATS:
        lua_pushnumber(L, attribute->floats[i]);
        return true;
    case SG_GRAPH_ATTRIBUTE_TEXT:
    case SG_GRAPH_ATTRIBUTE_TEXTS:
        lua_pushstring(L, attribute->texts[i]);
        return true;
    default:
        return false;
    }
}

static bool push_attribute(lua_State *L, const sg_graph_attribute *attribute)
{
    switch (attribute->kind) {
    case SG_GRAPH_ATTRIBUTE_INTS:
    case SG_GRAPH_ATTRIBUTE_FLOATS:
    case SG_GRAPH_ATTRIBUTE_TEXTS:
        lua_createtable(L, (int)(attribute->count < INT32_MAX ? attribute->count : 0), 0);
        for (int64_t i = 0; i < attribute->count; ++i) {
            push_attribute_entry(L, attribute, i);
            lua_rawseti(L, -2, i + 1);
        }
        return true;
    case SG_GRAPH_ATTRIBUTE_TENSOR:
        push_fact(L, sg_fact_of_tensor(rules_of(L)->arena, attribute->tensor));
        return true;
    default:
        return push_attribute_entry(L, attribute, 0);
    }
}

static void push_node(lua_State *L, const sg_graph_node *node)
{
    enum { FIELDS = 7 };
    lua_createtable(L, 0, FIELDS);
    lua_pushstring(L, node->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, node->op_type);
    lua_setfield(L, -2, "op_type");
    lua_pushstring(L, node->domain);
    lua_setfield(L, -2, "domain");
    lua_pushinteger(L, node->opset);
    lua_setfield(L, -2, "opset");
    lua_pushinteger(L, node->ninputs);
    lua_setfield(L, -2, "ninputs");
    lua_pushinteger(L, node->noutputs);
    lua_setfield(L, -2, "noutputs");
    lua_newtable(L);
    for (int64_t i = 0; i < node->nattributes; ++i) {
        const sg_graph_attribute *attribute = &node->attributes[i];
        if (push_attribute(L, attribute)) {
            lua_setfield(L, -2, attribute->name);
        }
    }
    lua_setfield(L, -2, "attributes");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &node_key);
}

/* --- facts from Lua --------------------------------------------------------------------------- */

static bool is_nothing(lua_State *L, int index)
{
    return lua_isnil(L, index) || (lua_isboolean(L, index) && !lua_toboolean(L, index));
}

/* Counts the entries that rules create. Without a limit a hostile model could use unbounded
 * memory. */
static void count_entries(lua_State *L, int64_t count)
{
    sg_rules *rules = rules_of(L);
    rules->entries += count;
    if (rules->entries > rules->max_entries) {
        /* reported after the call, outside of Lua */
        luaL_error(L, "too many entries");
    }
}

static sg_fact_entry *new_entries(lua_State *L, int64_t count)
{
    count_entries(L, count);
    return SG_NEW_ARRAY(rules_of(L)->arena, sg_fact_entry, count);
}

/* Reads the value on top of the stack as a dim or value. */
static sg_fact_entry read_entry(lua_State *L, const char *what, int64_t output, int64_t at,
                                bool integers)
{
    sg_fact_entry entry = {.kind = SG_FACT_UNKNOWN};
    int exact = 0;
    if (lua_type(L, -1) == LUA_TNUMBER) {
        const lua_Integer integer = lua_tointegerx(L, -1, &exact);
        if (exact != 0 && (integers || lua_isinteger(L, -1))) {
            entry.kind = SG_FACT_INT;
            entry.as.integer = integer;
        } else if (!integers) {
            entry.kind = SG_FACT_FLOAT;
            entry.as.real = lua_tonumber(L, -1);
        } else {
            broken(L, "%s %" PRId64 " of output %" PRId64 " is %f, which is not an integer", what,
                   at + 1, output + 1, lua_tonumber(L, -1));
        }
    } else if (lua_isstring(L, -1) || lua_islightuserdata(L, -1)) {
        entry.as.sum = sg_sum_lua_to(L, -1);
        entry.kind = entry.as.sum != NULL ? SG_FACT_SUM : SG_FACT_UNKNOWN;
        if (entry.as.sum == NULL && lua_rawlen(L, -1) > 0) {
            broken(
                L,
                "%s %" PRId64 " of output %" PRId64
                " is a text with control characters that no name has; products and sums of names "
                "come from operators, as in 2 * x.shape[1] + 1",
                what, at + 1, output + 1);
        }
    } else if (!lua_isboolean(L, -1) || lua_toboolean(L, -1)) {
        broken(L,
               "%s %" PRId64 " of output %" PRId64
               " is a number, a name or false (unknown), but this one is %s",
               what, at + 1, output + 1, lua_isboolean(L, -1) ? "true" : luaL_typename(L, -1));
    }
    return entry;
}

static void read_shape(lua_State *L, sg_fact *fact, int64_t output)
{
    if (!lua_istable(L, -1)) {
        broken(L, "the shape of output %" PRId64 " is a list or nil, but this one is a %s",
               output + 1, luaL_typename(L, -1));
    }
    const lua_Unsigned rank = lua_rawlen(L, -1);
    if (rank > MAX_RANK) {
        return;
    }
    fact->rank = (int64_t)rank;
    fact->dims = new_entries(L, fact->rank);
    fact->has_rank = true;
    for (int64_t i = 0; i < fact->rank; ++i) {
        lua_rawgeti(L, -1, i + 1);
        fact->dims[i] = read_entry(L, "dim", output, i, true);
        if (fact->dims[i].kind == SG_FACT_SUM && sg_sum_counts(fact->dims[i].as.sum)) {
            fact->dims[i].kind = SG_FACT_UNKNOWN;
        }
        if (fact->dims[i].kind == SG_FACT_INT && fact->dims[i].as.integer < 0) {
            broken(L, "dim %" PRId64 " of output %" PRId64 " is %" PRId64 ", which is negative",
                   i + 1, output + 1, fact->dims[i].as.integer);
        }
        lua_pop(L, 1);
    }
}

static bool is_float(int dtype)
{
    switch (dtype) {
    case SG_DTYPE_F16:
    case SG_DTYPE_BF16:
    case SG_DTYPE_F32:
    case SG_DTYPE_F64:
    case SG_GRAPH_DTYPE_UNKNOWN:
        return true;
    default:
        return false;
    }
}

static void read_values(lua_State *L, sg_fact *fact, int64_t output)
{
    if (!lua_istable(L, -1)) {
        broken(L, "the value of output %" PRId64 " is a list or nil, but this one is a %s",
               output + 1, luaL_typename(L, -1));
    }
    const lua_Unsigned count = lua_rawlen(L, -1);
    if (count > SG_GRAPH_VALUES_MAX) {
        return;
    }
    int64_t elements = 0;
    if (sg_fact_elements(fact, &elements) && elements != (int64_t)count) {
        broken(L, "the value of output %" PRId64 " has %" PRId64 " entries, its shape %" PRId64,
               output + 1, (int64_t)count, elements);
    }
    fact->count = (int64_t)count;
    fact->values = new_entries(L, fact->count);
    fact->has_values = true;
    for (int64_t i = 0; i < fact->count; ++i) {
        lua_rawgeti(L, -1, i + 1);
        fact->values[i] = read_entry(L, "value", output, i, !is_float(fact->dtype));
        lua_pop(L, 1);
    }
}

static void read_tensor(lua_State *L, sg_fact *fact, int64_t output)
{
    if (!lua_istable(L, -1)) {
        broken(L, "output %" PRId64 " is a table or nil, but this one is a %s", output + 1,
               luaL_typename(L, -1));
    }
    lua_getfield(L, -1, "dtype");
    if (!is_nothing(L, -1)) {
        sg_dtype dtype = SG_DTYPE_F32;
        if (lua_type(L, -1) != LUA_TSTRING ||
            !sg_dtype_find(sg_str_from(lua_tostring(L, -1)), &dtype)) {
            broken(L, "the dtype of output %" PRId64 " is the name of a type, as \"f32\"",
                   output + 1);
        }
        fact->dtype = (int)dtype;
    }
    lua_pop(L, 1);
    lua_getfield(L, -1, "shape");
    if (!is_nothing(L, -1)) {
        read_shape(L, fact, output);
    }
    lua_pop(L, 1);
    lua_getfield(L, -1, "value");
    if (!is_nothing(L, -1)) {
        read_values(L, fact, output);
    }
    lua_pop(L, 1);
}

/* Reads the tensors of a sequence; sequences cannot be nested. */
static void read_sequence(lua_State *L, sg_fact *fact, int64_t output)
{
    if (!lua_istable(L, -1)) {
        broken(L, "the sequence of output %" PRId64 " is a list of tensors, but this one is a %s",
               output + 1, luaL_typename(L, -1));
    }
    const lua_Unsigned count = lua_rawlen(L, -1);
    if (count > SG_GRAPH_VALUES_MAX) {
        return;
    }
    sg_arena *arena = rules_of(L)->arena;
    count_entries(L, ENTRIES_PER_TENSOR * (int64_t)count);
    const sg_fact **elements = SG_NEW_ARRAY(arena, const sg_fact *, count);
    for (int64_t i = 0; i < (int64_t)count; ++i) {
        sg_fact *element = sg_fact_new(arena);
        lua_rawgeti(L, -1, i + 1);
        read_tensor(L, element, output);
        elements[i] = element;
        lua_pop(L, 1);
    }
    fact->is_sequence = true;
    fact->elements = elements;
    fact->nelements = (int64_t)count;
}

static void read_fact(lua_State *L, sg_fact *fact, int64_t output)
{
    read_tensor(L, fact, output);
    lua_getfield(L, -1, "sequence");
    if (!is_nothing(L, -1)) {
        read_sequence(L, fact, output);
    }
    lua_pop(L, 1);
}

/* --- running ---------------------------------------------------------------------------------- */

/* Stores where the function on top of the stack begins. */
static void note_function(sg_rules *rules, lua_State *L)
{
    lua_Debug ar;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &ar);
    rules->file = sg_lua_chunk_number(ar.source, CHUNK);
    rules->line = ar.linedefined > 0 ? (size_t)ar.linedefined : 1;
}

static int run_rule(lua_State *L)
{
    sg_rules *rules = rules_of(L);
    const sg_rules_job *job = rules->job;
    const sg_graph_node *node = job->node;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &rules_key);
    if (sg_graph_is_onnx(node)) {
        lua_pushstring(L, node->op_type);
    } else {
        push_key(L, lua_pushfstring(L, "%s.%s", node->domain, node->op_type));
        lua_remove(L, -2);
    }
    if (lua_rawget(L, -2) == LUA_TNIL) {
        rules->outcome = SG_RULES_NONE;
        return 0;
    }
    lua_pushvalue(L, -1);
    note_function(rules, L);
    const char *misfit = in_users_file(rules) ? NULL : sg_attribute_misfit(rules->arena, node);
    if (misfit != NULL) {
        lua_pushstring(L, misfit);
        lua_replace(L, 1);
        return refuse(L);
    }
    push_node(L, node);
    lua_createtable(L, (int)node->ninputs, 0);
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (job->inputs[i] != NULL) {
            push_fact(L, job->inputs[i]);
            lua_rawseti(L, -2, i + 1);
        }
    }
    lua_call(L, 2, 1);
    lua_insert(L, -2);
    note_function(rules, L);
    lua_pop(L, 1);
    if (is_nothing(L, -1)) {
        return 0;
    }
    if (!lua_istable(L, -1)) {
        return broken(L, "a rule returns a list of outputs, not a %s", luaL_typename(L, -1));
    }
    for (int64_t i = 0; i < node->noutputs; ++i) {
        lua_rawgeti(L, -1, i + 1);
        if (!is_nothing(L, -1)) {
            read_fact(L, job->outputs[i], i);
        }
        lua_pop(L, 1);
    }
    return 0;
}

static void forget(const sg_graph_node *node, sg_fact **outputs)
{
    for (int64_t i = 0; i < node->noutputs; ++i) {
        *outputs[i] = (sg_fact){.dtype = SG_GRAPH_DTYPE_UNKNOWN};
    }
}

bool sg_rules_run(sg_rules *rules, const sg_graph_node *node, const sg_fact *const *inputs,
                  sg_fact **outputs, const char **reason)
{
    *reason = NULL;
    for (int64_t i = 0; i < node->noutputs; ++i) {
        outputs[i] = sg_fact_new(rules->arena);
    }
    sg_rules_job job = {node, inputs, outputs};
    rules->job = &job;
    const bool ok = run_protected(rules, run_rule);
    rules->job = NULL;
    if (rules->outcome == SG_RULES_NONE) {
        *reason = "there is no rule for it";
        return true;
    }
    if (ok) {
        rules->outcome = SG_RULES_FINE;
        return true;
    }
    forget(node, outputs);
    if (rules->meter.spent != SG_METER_SPENT_NOTHING) {
        (void)report_budget(rules, node);
        sg_diag_note(rules->diag, node->span, "it was called for '%s'", sg_graph_node_name(node));
        return false;
    }
    if (rules->entries > rules->max_entries) {
        return sg_diag_fail(rules->diag, SG_EXIT_BUDGET, node->span,
                            "the shapes and values of this model have more than %" PRId64
                            " dims and entries together",
                            rules->max_entries);
    }
    if (rules->outcome == SG_RULES_MISTYPED) {
        return true;
    }
    const char *message = rules->message != NULL ? rules->message : "the rule failed";
    *reason = message;
    if (rules->outcome == SG_RULES_REFUSED) {
        return true;
    }
    /* An error in the user's rules must be fixed by the user. An error in a built-in rule must not
     * prevent the other Splits from being generated. */
    if (in_users_file(rules)) {
        (void)sg_diag_error(rules->diag, place(rules), "the rule for '%s' is wrong: %s",
                            node->op_type, message);
        sg_diag_note(rules->diag, node->span, "it was called for '%s'", sg_graph_node_name(node));
        return false;
    }
    sg_diag_warn(rules->diag, place(rules), "the built-in rule for '%s' is wrong: %s",
                 node->op_type, message);
    sg_diag_note(rules->diag, node->span, "it was called for '%s'", sg_graph_node_name(node));
    return true;
}
