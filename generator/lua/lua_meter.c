/* Counts the work of a Lua state, and stops it. */
#include "lua/lua_meter.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>

/* note [what a step costs]
 * One VM instruction can do the work of many, such as comparing two strings of a megabyte. Every
 * instruction therefore costs
 *
 *     1 + (longest live string) / STRING_DIVISOR + (longest possible chain of tables)
 *
 * steps; ordinary texts pay 1. Note [chains of tables] explains the last term. Every new object
 * costs NEW_PRICE steps, because it must be found and freed again, and a collection costs a step
 * per COLLECT_DIVISOR bytes. Allocations cost a step per TEXT_DIVISOR bytes of a string and per
 * BLOCK_DIVISOR bytes of anything else, since they will be filled: a table that grows moves all its
 * entries. So results of C functions are paid for when they are allocated. Bytes that C functions
 * read cost a step per READ_DIVISOR bytes (sg_meter_charge_bytes), at most what a byte-wise loop
 * reads in the time of a step, which is about 10 ns. */
#define STRING_DIVISOR  256
#define NEW_PRICE       32
#define COLLECT_DIVISOR 4
#define TEXT_DIVISOR    64
#define BLOCK_DIVISOR   16
#define READ_DIVISOR    16

/* note [what cannot be counted]
 * Keys of a table may collide, strings may be compared zero by zero, lines may be counted from the
 * beginning of a function: then one instruction takes a millisecond, and no count shows it. So a
 * text that has used the processor for more than FREE_SECONDS pays at least `steps_per_second` for
 * the time beyond. That is a fraction of the rate of ordinary texts, so they never reach it. */
#define FREE_SECONDS 2
/* steps between two readings of the clock, so that reading it costs little */
#define STEPS_PER_READING 1600

/* Minimum size of a table entry, and the number of empty entries visited per step. */
#define SLOT_BYTES     16
#define SLOTS_PER_STEP 2

/* note [what a block is]
 * The allocator learns the type of a new object, but not which object it frees or grows, and Lua
 * has no function that returns the number of slots of a table. So every block has a header with its
 * type and its serial number. Strings are counted by size while they are live. All slots that a
 * table ever had are in blocks younger than the table itself, so it has no more of them than the
 * largest block since then (sg_meter_charge_walk). Sizes are kept as powers of two. */
typedef struct header {
    _Alignas(max_align_t) int64_t made;
    bool is_string;
    bool is_metatable;
} header;

/* note [chains of tables]
 * If a field is missing, Lua looks it up in the `__index` of the metatable; if that is a table that
 * does not have it either, in that table's metatable; and so on, within one instruction, up to 2000
 * times before it raises an error. `__newindex` works the same way. `__call` has no limit, and each
 * of its links moves all arguments up by one to insert another.
 *
 * Metatables can change at any time without notice. But the metatable of a table determines the
 * next table, so a chain that ends never visits a metatable twice. It has no more links than there
 * are live metatables, and chains of `__call` no more than the stack has slots. LINKS_PER_STEP
 * links cost a step, and so do MOVES_PER_STEP moves of an argument. Unreachable metatables are
 * freed before their number doubles.
 *
 * A chain of `__call` that does not end fills the stack. Growing the stack beyond STACK_BYTES
 * therefore costs as much as such a chain, and fails if the budget has less left. */
#define LINKS_PER_STEP   4
#define MOVES_PER_STEP   64
#define LINKS_MAX        2000
#define COLLECT_AT_FIRST 64

/* note [loading]
 * Lua compiles in time linear in the text, except for jumps: each `elseif`, `and`, `or`, `break`
 * and `goto` may be appended to a list that is walked from its start. So the n-th of these words in
 * a text costs n / JUMPS_PER_STEP steps. They are also counted in comments and strings: it is
 * better to overcharge prose a little than to parse Lua here. */
#define JUMPS_PER_STEP 4

/* note [watching calls]
 * A hook on every call enforces the limits on depth and arguments, and costs a tenth of the time.
 * Neither limit can be reached before Lua's stack is larger than STACK_BYTES, so unless exact
 * limits matter, the hook is set only then. The stack is the first block that Lua allocates without
 * a type. When it grows, some releases of Lua 5.4 reallocate it, and others allocate a new block
 * and free the old one immediately after. */
#define STACK_BYTES 8192

/* Spare slots at the end of Lua's stack; all other slots double when it grows. */
#define STACK_EXTRA 5

sg_meter *sg_meter_of(lua_State *L)
{
    return *(sg_meter **)lua_getextraspace(L);
}

sg_meter_why sg_meter_explain(const sg_meter *meter)
{
    const size_t mib = (size_t)1 << 20;
    const bool whole = meter->max_memory % mib == 0; /* the unit of the options */
    sg_meter_why why;
    if (meter->spent == SG_METER_SPENT_STEPS) {
        snprintf(why.text, sizeof why.text, "is still running after %" PRId64 " instructions",
                 meter->max_steps);
    } else if (meter->spent == SG_METER_SPENT_TIME) {
        snprintf(why.text, sizeof why.text, "has kept the processor busy for %" PRId64 " seconds",
                 sg_meter_seconds(meter));
    } else {
        snprintf(why.text, sizeof why.text, "%s %zu %s of memory",
                 meter->spent == SG_METER_SPENT_MEMORY ? "needs more than" : "cannot start with",
                 whole ? meter->max_memory / mib : meter->max_memory, whole ? "MiB" : "bytes");
    }
    return why;
}

size_t sg_meter_left(const sg_meter *meter)
{
    const size_t elsewhere = meter->held_elsewhere != NULL ? meter->held_elsewhere(meter) : 0;
    const size_t held = meter->memory + elsewhere;
    return held < meter->max_memory ? meter->max_memory - held : 0;
}

static void note_place(sg_meter *meter)
{
    if (meter->note_place != NULL && meter->L != NULL) {
        meter->note_place(meter, meter->L);
    }
}

static void note_spent(sg_meter *meter, sg_meter_spent what)
{
    if (meter->spent == SG_METER_SPENT_NOTHING) {
        meter->spent = what;
        note_place(meter);
    }
}

/* A collection walks all memory. */
static int64_t collection_price(const sg_meter *meter)
{
    return (int64_t)(meter->memory / COLLECT_DIVISOR);
}

static void *out_of_memory(sg_meter *meter)
{
    /* Lua collects garbage and retries. */
    meter->collection_steps += collection_price(meter);
    meter->steps += collection_price(meter);
    note_place(meter);
    return NULL;
}

static void on_hook(lua_State *L, lua_Debug *ar);

static int interval(const sg_meter *meter)
{
    return meter->max_steps < meter->interval ? (int)meter->max_steps : meter->interval;
}

/* With a count hook Lua checks a counter before every instruction, which takes a third of the time.
 * Without limits it is not set. */
static bool has_limits(const sg_meter *meter)
{
    return meter->max_steps < SG_METER_NO_LIMIT || meter->max_memory < SIZE_MAX;
}

void sg_meter_watch(const sg_meter *meter)
{
    const int counts = has_limits(meter) ? LUA_MASKCOUNT : 0;
    const int calls = meter->watches_calls ? LUA_MASKCALL : 0;
    const int returns = meter->on_return != NULL ? LUA_MASKRET : 0;
    const int lines = meter->on_line != NULL ? LUA_MASKLINE : 0;
    lua_sethook(meter->L, on_hook, counts | calls | returns | lines, interval(meter));
}

static void watch_calls(sg_meter *meter)
{
    if (!meter->watches_calls && meter->L != NULL && has_limits(meter)) {
        meter->watches_calls = true;
        if (meter->spent == SG_METER_SPENT_NOTHING) {
            sg_meter_watch(meter);
        }
    }
}

/* The price of a chain of `__call` with this many links. */
static int64_t call_chain_price(size_t links)
{
    const int64_t n = (int64_t)links;
    return n * n / 2 / MOVES_PER_STEP;
}

static int64_t stack_price(size_t size)
{
    return size > STACK_BYTES ? call_chain_price(size / SLOT_BYTES) : 0;
}

/* The price of the longest possible chain of tables. */
static int64_t chain_price(const sg_meter *meter)
{
    const size_t links = meter->metatables;
    const size_t slots = meter->stack_size / SLOT_BYTES;
    return (int64_t)(links / LINKS_PER_STEP) + call_chain_price(links < slots ? links : slots);
}

/* The smallest power of two >= size, as its exponent. */
static int size_class(size_t size)
{
    int class = 0;
    while (class < SG_METER_CLASSES - 1 && (size_t)1 << class < size) {
        ++class;
    }
    return class;
}

/* The current price of an instruction, given the live strings. */
static int64_t price_now(const sg_meter *meter)
{
    int class = SG_METER_CLASSES - 1;
    while (class > 0 && meter->strings[class] == 0) {
        --class;
    }
    return 1 + (INT64_C(1) << class) / STRING_DIVISOR + chain_price(meter);
}

static void raise_step_price(sg_meter *meter)
{
    const int64_t price = price_now(meter);
    if (price > meter->step_price) {
        meter->step_price = price;
    }
}

static void stack_is(sg_meter *meter, const void *stack, size_t size)
{
    const bool grows = size > meter->stack_size;
    meter->stack = stack;
    meter->stack_size = size;
    if (grows && size > STACK_BYTES) {
        meter->steps += stack_price(size);
        raise_step_price(meter);
        watch_calls(meter);
    }
}

/* Whether a new or growing block may be a stack that is too large for the budget. */
static bool is_stack_too_large(const sg_meter *meter, bool is_stack, size_t size)
{
    const size_t doubled = 2 * meter->stack_size - (size_t)STACK_EXTRA * SLOT_BYTES;
    return (is_stack || size == doubled) && size > STACK_BYTES &&
           meter->steps + stack_price(size) > meter->max_steps;
}

static void string_comes(sg_meter *meter, size_t size)
{
    ++meter->strings[size_class(size)];
    raise_step_price(meter);
}

static void release(sg_meter *meter, void *block, size_t size)
{
    if (block == NULL) {
        return;
    }
    if (block == meter->stack) {
        stack_is(meter, meter->untyped, meter->untyped_size);
    }
    header *h = (header *)block - 1;
    meter->strings[size_class(size)] -= h->is_string ? 1 : 0;
    meter->metatables -= h->is_metatable ? 1 : 0;
    meter->memory -= size;
    free(h);
}

static void *allocate(void *data, void *block, size_t old_size, size_t new_size)
{
    sg_meter *meter = data;
    if (new_size == 0) {
        release(meter, block, old_size);
        return NULL;
    }
    const size_t held = block != NULL ? old_size : 0;
    const bool grows = new_size > held;
    const size_t room = SIZE_MAX - sizeof(header);
    if (grows && (new_size > room || new_size - held > sg_meter_left(meter))) {
        return out_of_memory(meter);
    }
    const bool is_untyped = block == NULL && old_size == 0;
    const bool is_stack = meter->stack != NULL ? block == meter->stack : is_untyped;
    if (grows && (is_stack || is_untyped) && is_stack_too_large(meter, is_stack, new_size)) {
        note_spent(meter, SG_METER_SPENT_STEPS);
        return NULL;
    }
    header *h = realloc(block != NULL ? (header *)block - 1 : NULL, sizeof *h + new_size);
    if (h == NULL) {
        if (grows) {
            return out_of_memory(meter);
        }
        h = (header *)block - 1; /* Lua assumes that shrinking never fails */
    }
    meter->memory = meter->memory - held + new_size;
    if (is_stack) {
        stack_is(meter, h + 1, new_size);
    } else if (is_untyped) {
        meter->untyped = h + 1;
        meter->untyped_size = new_size;
    }
    meter->steps += block == NULL ? NEW_PRICE : 0;
    if (block == NULL) {
        /* for a new object Lua passes its type in place of the old size */
        *h = (header){.made = ++meter->made, .is_string = old_size == LUA_TSTRING};
    }
    if (h->is_string) {
        string_comes(meter, new_size);
        meter->steps += (int64_t)(new_size / TEXT_DIVISOR);
    } else {
        meter->last_of[size_class(new_size)] = ++meter->made;
        meter->steps += (int64_t)(new_size / BLOCK_DIVISOR);
    }
    return h + 1;
}

/* From here on every instruction fails, so that no pcall, __close or message handler can
 * continue. */
static void stop(lua_State *L)
{
    lua_sethook(L, on_hook, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "the budget is spent");
    lua_error(L);
}

void sg_meter_charge(lua_State *L, int64_t steps)
{
    sg_meter *meter = sg_meter_of(L);
    if (meter->spent == SG_METER_SPENT_NOTHING) {
        const int64_t most = INT64_MAX / 4;
        meter->steps += steps < 0 ? 0 : steps > most ? most : steps;
        if (meter->steps <= meter->max_steps) {
            return;
        }
        /* a text that spends most of its steps on collections has run out of memory */
        const bool by_itself = meter->steps - meter->collection_steps > meter->max_steps;
        const bool by_time = meter->steps - meter->time_steps <= meter->max_steps;
        note_spent(meter, by_time     ? SG_METER_SPENT_TIME
                          : by_itself ? SG_METER_SPENT_STEPS
                                      : SG_METER_SPENT_MEMORY);
    }
    stop(L);
}

void sg_meter_charge_bytes(lua_State *L, size_t bytes)
{
    sg_meter_charge(L, (int64_t)(bytes / READ_DIVISOR));
}

void sg_meter_charge_fields(lua_State *L, int64_t fields)
{
    const int64_t price = 1 + chain_price(sg_meter_of(L));
    sg_meter_charge(L, fields < INT64_MAX / price ? fields * price : INT64_MAX);
}

/* The header of the table at this stack index. */
static header *header_of(lua_State *L, int table)
{
    return (header *)lua_topointer(L, table) - 1;
}

void sg_meter_add_metatable(lua_State *L, int table)
{
    sg_meter *meter = sg_meter_of(L);
    header *h = header_of(L, table);
    if (h->is_metatable) {
        return;
    }
    if (meter->metatables >= meter->collect_at) {
        meter->steps += collection_price(meter);
        lua_gc(L, LUA_GCCOLLECT);
        meter->collect_at = 2 * meter->metatables + COLLECT_AT_FIRST;
    }
    h->is_metatable = true;
    ++meter->metatables;
    raise_step_price(meter);
    watch_calls(meter);
}

void sg_meter_charge_walk(lua_State *L, int table)
{
    const sg_meter *meter = sg_meter_of(L);
    const header *h = header_of(L, table);
    int class = SG_METER_CLASSES - 1;
    while (class > 0 && meter->last_of[class] <= h->made) {
        --class;
    }
    sg_meter_charge(L, (INT64_C(1) << class) / SLOT_BYTES / SLOTS_PER_STEP);
}

void sg_meter_reserve(lua_State *L, size_t bytes)
{
    sg_meter *meter = sg_meter_of(L);
    if (bytes >= sg_meter_left(meter)) {
        note_spent(meter, SG_METER_SPENT_MEMORY);
        stop(L);
    }
}

void sg_meter_rethrow(lua_State *L, int status)
{
    sg_meter *meter = sg_meter_of(L);
    if (status == LUA_ERRMEM) {
        note_spent(meter, SG_METER_SPENT_MEMORY);
    }
    if (meter->spent != SG_METER_SPENT_NOTHING) {
        stop(L);
    }
}

bool sg_meter_pcall(lua_State *L, int arguments)
{
    enum { PRICE = 200 }; /* price of raising, catching and unwinding an error */
    sg_meter_charge(L, PRICE);
    void *loading = sg_meter_of(L)->loading;
    const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
    if (status != LUA_OK) {
        sg_meter_rethrow(L, status);
        sg_meter_of(L)->loading = loading;
        /* the error may be the end of a chain of tables that is too long */
        sg_meter_charge(L, sg_meter_of(L)->metatables > 0 ? LINKS_MAX / LINKS_PER_STEP : 0);
    }
    return status == LUA_OK;
}

static void check_call(lua_State *L, lua_Debug *ar)
{
    lua_Debug deep;
    if (lua_getlocal(L, ar, -(SG_METER_VARARGS + 1)) != NULL) {
        luaL_error(L, "a call has more than %d extra arguments", SG_METER_VARARGS);
    }
    /* lua_getstack counts levels one by one */
    enum { SHALLOW = 50, PRICE = 3, DEEP_PRICE = 50 };
    sg_meter_charge(L, PRICE + chain_price(sg_meter_of(L)));
    if (lua_getstack(L, SHALLOW, &deep)) {
        sg_meter_charge(L, DEEP_PRICE);
        if (lua_getstack(L, SG_METER_DEPTH, &deep)) {
            luaL_error(L, "calls are nested more than %d deep", SG_METER_DEPTH);
        }
    }
}

void sg_meter_begin(sg_meter *meter)
{
    meter->time_steps = 0;
    meter->began = clock();
}

static double busy(const sg_meter *meter)
{
    return meter->busy + (double)(clock() - meter->began) / CLOCKS_PER_SEC;
}

int64_t sg_meter_seconds(const sg_meter *meter)
{
    return (int64_t)(meter->busy + 0.5);
}

/* Steps to charge for time; see note [what cannot be counted]. */
static int64_t unpaid(const sg_meter *meter)
{
    const double due = (busy(meter) - FREE_SECONDS) * (double)meter->steps_per_second;
    return due > (double)meter->steps ? (int64_t)due - meter->steps : 0;
}

void sg_meter_end(sg_meter *meter)
{
    meter->busy = busy(meter);
}

static void on_hook(lua_State *L, lua_Debug *ar)
{
    sg_meter *meter = sg_meter_of(L);
    switch (ar->event) {
    case LUA_HOOKCALL:
    case LUA_HOOKTAILCALL:
        check_call(L, ar);
        break;
    case LUA_HOOKRET:
        meter->on_return(L, ar);
        break;
    case LUA_HOOKLINE:
        meter->on_line(L, ar);
        break;
    default:
        sg_meter_reserve(L, 0);
        sg_meter_charge(L, interval(meter) * meter->step_price);
        if (meter->step_price > 1 ||
            ++meter->looks % (1 + STEPS_PER_READING / interval(meter)) == 0) {
            const int64_t due = unpaid(meter);
            meter->time_steps += due;
            sg_meter_charge(L, due);
        }
        meter->step_price = price_now(meter);
        break;
    }
}

bool sg_meter_open(sg_meter *meter)
{
    meter->step_price = 1;
    sg_meter_begin(meter);
    meter->collect_at = COLLECT_AT_FIRST;
    meter->L = lua_newstate(allocate, meter);
    if (meter->L == NULL) {
        return false;
    }
    *(sg_meter **)lua_getextraspace(meter->L) = meter;
    return true;
}

void sg_meter_close(sg_meter *meter)
{
    if (meter->L != NULL) {
        lua_State *L = meter->L;
        lua_sethook(L, NULL, 0, 0);
        meter->L = NULL;
        lua_close(L);
    }
}

/* --- loading ---------------------------------------------------------------------------------- */

typedef struct reading {
    sg_str rest;
    size_t line;
    int64_t jumps;
} reading;

/* Counts the words in a line that the compiler compiles to jumps. */
static int64_t count_jumps(sg_str line)
{
    static const char *const words[] = {"and", "break", "elseif", "goto", "or"};
    int64_t count = 0;
    for (size_t i = 0; i < line.len;) {
        const size_t begin = i;
        while (i < line.len && sg_is_ident((unsigned char)line.ptr[i])) {
            ++i;
        }
        const sg_str word = {line.ptr + begin, i - begin};
        for (size_t w = 0; word.len > 0 && w < sizeof words / sizeof words[0]; ++w) {
            count += sg_str_eqz(word, words[w]) ? 1 : 0;
        }
        i += word.len == 0 ? 1 : 0;
    }
    return count;
}

/* Passes the text to the compiler line by line, so that an error can be located by the last line
 * that was read. */
static const char *next_line(lua_State *L, void *data, size_t *len)
{
    reading *r = data;
    if (r->rest.len == 0) {
        return NULL;
    }
    const char *end = memchr(r->rest.ptr, '\n', r->rest.len);
    const sg_str line = {r->rest.ptr, end != NULL ? (size_t)(end - r->rest.ptr) + 1 : r->rest.len};
    r->rest = (sg_str){line.ptr + line.len, r->rest.len - line.len};
    ++r->line;
    const int64_t jumps = count_jumps(line);
    sg_meter_charge_bytes(L, line.len);
    sg_meter_charge(L, jumps * (r->jumps + jumps / 2) / JUMPS_PER_STEP);
    r->jumps += jumps;
    *len = line.len;
    return line.ptr;
}

int sg_meter_load(lua_State *L, sg_str text, const char *name, size_t *line)
{
    reading r = {.rest = text};
    const int status = lua_load(L, next_line, &r, name, "t");
    *line = r.line > 0 ? r.line : 1;
    return status;
}
