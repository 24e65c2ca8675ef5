/* Counts what a body consists of, in terms that text.inc has the bytes of. What functions there are
 * follows the templates. */
#include "plan/tell/figures.h"

#include <string.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/body/cost.h"
#include "plan/choose/choices.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

typedef struct class_info {
    const char *name;
    const char *title;
    int64_t word;   /* bytes the widest access of portable code moves */
    int64_t reach;  /* the largest offset of an access that costs nothing */
    int64_t called; /* bytes from which a literal copy is a loop or a call */
    bool puts;      /* but not where copies keep their order */
    bool inlines;   /* short functions are part of every function that calls them */
    int64_t jump;   /* bytes of a function that goes on in another one */
} class_info;

static const class_info classes[SG_CLASS_COUNT] = {
#define CLASS(id, name, title, word, reach, called, puts, inlines, jump)                           \
    {name, title, word, reach, called, puts, inlines, jump},
#include "plan/tell/text.inc"
#undef CLASS
};

/* Bodies that differ in what their instructions become. */
typedef enum body_sort {
#define SORT(id) SORT_##id,
#include "plan/tell/text.inc"
#undef SORT
#define X(id, ...) SORT_##id,
#include "plan/machine/isa.inc"
#undef X
    SORTS
} body_sort;

static const body_sort sort_of_isa[SG_ISA_COUNT] = {
#define X(id, ...) [SG_ISA_##id] = SORT_##id,
#include "plan/machine/isa.inc"
#undef X
};

/* What is counted, see text.inc. */
typedef enum term {
    TERM_KERNEL,
    TERM_FUNCTIONS,
    TERM_OUTPUTS,
    TERM_ACCESSES,
    TERM_FAR,
    TERM_CALLS,
    TERM_REGISTERS,
    TERM_CONSTANTS,
    TERM_LOOPS,
    TERM_FEEDS,
    TERM_PAST,
    TERM_CHOICES,
    TERM_ARGUMENTS,
    TERMS
} term;

/* Tenths of bytes. */
typedef struct cost {
    body_sort sort;
    sg_target_class target;
    int64_t text[TERMS];
    int64_t stack;
    int64_t stack_output;
    int64_t stack_register;
    int64_t stack_feed;
} cost;

static const cost costs[] = {
#define TEXT(sort, target, kernel, functions, outputs, accesses, far, calls, registers, constants, \
             loops, feeds, past, choices, arguments, stack, output, reg, feed)                     \
    {SORT_##sort,                                                                                  \
     SG_CLASS_##target,                                                                            \
     {kernel, functions, outputs, accesses, far, calls, registers, constants, loops, feeds, past,  \
      choices, arguments},                                                                         \
     stack,                                                                                        \
     output,                                                                                       \
     reg,                                                                                          \
     feed},
#include "plan/tell/text.inc"
#undef TEXT
};

const char *sg_class_name(sg_target_class target)
{
    return classes[target].name;
}

const char *sg_class_title(sg_target_class target)
{
    return classes[target].title;
}

const char *sg_insn_kind_name(sg_insn_kind kind)
{
    static const char *const names[SG_INSN_KINDS] = {
        [SG_INSNS_COPIES] = "copies", [SG_INSNS_CALLS] = "calls",
        [SG_INSNS_LOADS] = "loads",   [SG_INSNS_STORES] = "stores",
        [SG_INSNS_HINTS] = "hints",   [SG_INSNS_REGISTERS] = "registers"};
    return names[kind];
}

static const cost *find_cost(body_sort sort, sg_target_class target)
{
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i) {
        if (costs[i].sort == sort && costs[i].target == target) {
            return &costs[i];
        }
    }
    return NULL;
}

/* --- what instructions are -------------------------------------------------------------------- */

static sg_insn_kind kind_of(sg_opcode op)
{
    static const sg_insn_kind kinds[] = {[SG_DOES_RUN] = SG_INSNS_COPIES,
                                         [SG_DOES_LOAD] = SG_INSNS_LOADS,
                                         [SG_DOES_MIX] = SG_INSNS_REGISTERS,
                                         [SG_DOES_STORE] = SG_INSNS_STORES,
                                         [SG_DOES_HINT] = SG_INSNS_HINTS};
    return op == SG_INSN_CALL ? SG_INSNS_CALLS : kinds[sg_opcode_get(op)->does];
}

/* --- counting --------------------------------------------------------------------------------- */

/* A body on one class of machines. */
typedef struct tally {
    const class_info *on;
    int64_t word;
    bool puts;
    int64_t terms[TERMS];
    int64_t insns[SG_INSN_KINDS];
} tally;

/* Accesses that copy so many bytes, counted once: where they are wide, the last one overlaps. */
static int64_t pieces(int64_t bytes, int64_t word)
{
    const int64_t whole = bytes / word;
    const int64_t rest = bytes % word;
    const bool one = (rest & (rest - 1)) == 0 || (whole > 0 && word > 4);
    return whole + (rest == 0 ? 0 : one ? 1 : 2);
}

static void count_offset(tally *t, int64_t at, int64_t accesses, int64_t times)
{
    if (at > t->on->reach) {
        t->terms[TERM_FAR] += accesses * times;
    }
}

/* Accesses by which vectors copy a long run, in line: as splitgen/runs.h has it. */
static int64_t long_pieces(const tally *t, const sg_insn *insn)
{
    const int64_t bytes = insn->bytes;
    if (insn->copy == SG_COPY_LINES) {
        return 4 + pieces(bytes % 256, t->word);
    }
    return (bytes >= 1024 ? 32 : 0) + pieces(bytes % 1024, 32);
}

/* A copy from memory to memory. */
static void count_run(tally *t, const sg_insn *insn, int64_t times)
{
    const int64_t bytes = insn->bytes + insn->spill;
    if (insn->op == SG_INSN_CALL || (!t->puts && bytes >= t->on->called)) {
        t->terms[TERM_CALLS] += times;
        return;
    }
    int64_t n = pieces(bytes, t->word);
    if (insn->op == SG_INSN_LINES && bytes >= SG_ALIGN_MIN) {
        t->terms[TERM_LOOPS] += times; /* what aligns stores */
        n = long_pieces(t, insn);
    }
    t->terms[TERM_ACCESSES] += 2 * n * times;
    count_offset(t, insn->src, n, times);
    count_offset(t, insn->dst, n, times);
}

static void count_insn(tally *t, const sg_insn *insn, int64_t times)
{
    t->insns[kind_of(insn->op)] += times;
    if (sg_insn_is_run(insn)) {
        count_run(t, insn, times);
    } else if (insn->op == SG_INSN_LOAD || insn->op == SG_INSN_STORE ||
               insn->op == SG_INSN_INTERLEAVED) {
        const bool loads = insn->op != SG_INSN_STORE;
        const int64_t n = insn->op == SG_INSN_LOAD && insn->step > 0 ? t->word / insn->bytes : 1;
        t->terms[TERM_ACCESSES] += n * times;
        count_offset(t, loads ? insn->src : insn->dst, n, times);
    } else if (insn->op != SG_INSN_PREFETCH) {
        t->terms[TERM_REGISTERS] += times;
    }
}

/* The functions of a segment's blocks are printed once for all blocks that are alike. */
static void count_segment(tally *t, const sg_segment *segment, int64_t times)
{
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        const sg_block *block = &segment->blocks[b];
        if (segment->nblocks > 1) {
            t->terms[TERM_CALLS] += times;
        }
        if (block->like != b) {
            continue;
        }
        t->terms[TERM_FUNCTIONS] += segment->nblocks > 1 ? 1 : 0;
        for (int64_t i = 0; i < block->count; ++i) {
            count_insn(t, &segment->insns[block->first + i], times);
        }
    }
    t->terms[TERM_LOOPS] += segment->trips > 1 ? 1 : 0;
}

static int64_t columns_of(const sg_plan *plan)
{
    return plan->bits != NULL ? plan->bits->ncolumns : plan->layout.ncolumns;
}

/* Parameters of functions for outputs; an array of them is one. */
static int64_t moved_outputs(const sg_plan *plan)
{
    return plan->array_params ? 1 : columns_of(plan);
}

/* Processors of these classes always have the instructions that none is asked for: with rows enough
 * for such a body compilers drop the portable one. */
static bool is_dropped(const sg_plan *plan, sg_target_class target)
{
    bool dropped = false;
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        const sg_variant *v = &plan->variants[i];
        dropped = dropped ||
                  (v->isa->cpu[0] == '\0' && find_cost(sort_of_isa[v->isa->isa], target) != NULL &&
                   plan->layout.rows >= v->rows_per_trip);
    }
    return dropped;
}

/* Compilers have made several of all instructions so far, which are printed once. */
static void print_once(tally *t, int64_t times)
{
    for (int kind = 0; kind < SG_INSN_KINDS; ++kind) {
        t->insns[kind] /= times;
    }
}

/* Instructions that compilers put into every entrance of a kernel, and the templates too. */
#define SHORT_INSNS 24
#define TWICE_INSNS 64

/* How often straight-line code is there: in the kernel's own function, in the descriptor's, and in
 * that for some rows where there is one row. */
static int64_t entrances(const tally *t, const sg_plan *plan)
{
    const sg_segment *all = &plan->whole.segments[0];
    if (plan->nvariants > 0 || plan->array_params || plan->whole.nsegments != 1 ||
        all->nblocks > 1) {
        return 1;
    }
    const bool forced = all->by_outputs && all->ninsns <= TWICE_INSNS;
    const bool may = t->on->inlines && all->ninsns <= SHORT_INSNS;
    if (!forced && !may) {
        return 1;
    }
    return plan->layout.rows == 1 && may ? 3 : 2;
}

static void count_portable(tally *t, const sg_plan *plan, bool dropped)
{
    const sg_program *whole = &plan->whole;
    const int64_t times = plan->kind == SG_PLAN_STRAIGHT ? entrances(t, plan) : 1;
    for (int64_t s = 0; !dropped && s < whole->nsegments; ++s) {
        count_segment(t, &whole->segments[s], times);
    }
    print_once(t, times);
    if (plan->layout.rows > 1) {
        count_segment(t, &plan->row, 1);
    }
    t->terms[TERM_OUTPUTS] += moved_outputs(plan);
}

/* --- vectors ---------------------------------------------------------------------------------- */

/* How many functions there are of each kind. */
typedef struct forms {
    int64_t plain;
    int64_t streams; /* past the cache */
    int64_t fed;     /* by feeds */
    int64_t fed_streams;
} forms;

static forms forms_of(const sg_plan *plan, const sg_variant *v)
{
    const int64_t number = v - plan->variants;
    return (forms){
        .plain = 1,
        .streams = sg_choices_find(plan, number, SG_WAY_PAST) != NULL,
        .fed = sg_choices_find(plan, number, SG_WAY_FEED) != NULL,
        .fed_streams = sg_choices_find(plan, number, SG_WAY_FEED_PAST) != NULL,
    };
}

static int64_t functions_of(const forms *f)
{
    return f->plain + f->streams + f->fed + f->fed_streams;
}

static int64_t body_outputs(const sg_body *body)
{
    int64_t count = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        if ((sg_insn_is_run(insn) || insn->op == SG_INSN_STORE) && insn->column >= count) {
            count = insn->column + 1;
        }
    }
    return count;
}

static void count_body(tally *t, const sg_variant *v, const sg_body *body, const forms *f)
{
    const int64_t fed = f->fed + f->fed_streams;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        const int64_t ways = sg_insn_is_run(insn) ? v->isa->ways : 1;
        const bool loops = insn->op == SG_INSN_CALL || insn->op == SG_INSN_LINES;
        count_insn(t, insn, f->plain * ways);
        if (loops) { /* past the cache by a loop of its own */
            t->insns[kind_of(insn->op)] += f->streams;
            t->terms[TERM_LOOPS] += f->streams;
        } else {
            count_insn(t, insn, f->streams * ways);
        }
        if (insn->fed) {
            t->insns[kind_of(insn->op)] += fed;
            t->terms[TERM_FEEDS] += fed;
        } else {
            count_insn(t, insn, fed * ways);
        }
    }
    t->terms[TERM_CONSTANTS] += body->nconstants * functions_of(f);
    t->terms[TERM_OUTPUTS] += functions_of(f) * body_outputs(body);
}

static void count_variant(tally *t, const sg_plan *plan, const sg_variant *v)
{
    const forms f = forms_of(plan, v);
    for (int64_t b = 0; b < v->nbodies; ++b) {
        count_body(t, v, &v->bodies[b], &f);
    }
    if (v->tail_rows > 0) {
        count_segment(t, &plan->row, 1);
    }
    t->terms[TERM_FUNCTIONS] += functions_of(&f) * v->nbodies;
    t->terms[TERM_PAST] += f.streams + f.fed_streams;
    t->terms[TERM_CALLS] += functions_of(&f) * (v->nslices - 1);
}

/* --- packed elements -------------------------------------------------------------------------- */

static void count_words(tally *t, const sg_bit_segment *segment, int64_t times)
{
    for (int64_t i = 0; i < segment->nops; ++i) {
        const sg_bit_op *op = &segment->ops[i];
        if (op->op == SG_BIT_RUN) {
            t->insns[SG_INSNS_COPIES] += times;
            t->terms[TERM_LOOPS] += times;
            continue;
        }
        t->insns[SG_INSNS_LOADS] += op->npieces * times;
        t->insns[SG_INSNS_STORES] += times;
        t->terms[TERM_ACCESSES] += pieces(op->bytes, t->word) * times;
        count_offset(t, op->dst, 1, times);
        for (int64_t p = 0; p < op->npieces; ++p) {
            const sg_bit_piece *piece = &segment->pieces[op->first + p];
            const uint64_t low = piece->mask & (~piece->mask + 1);
            t->terms[TERM_REGISTERS] += times;
            t->terms[TERM_ACCESSES] += pieces(piece->bytes, t->word) * times;
            /* bits with gaps between them are brought together step by step */
            t->terms[TERM_FEEDS] += ((piece->mask + low) & piece->mask) != 0 ? times : 0;
            count_offset(t, piece->src, 1, times);
        }
    }
    t->terms[TERM_FUNCTIONS] += segment->nblocks > 1 ? segment->nblocks : 0;
    t->terms[TERM_CALLS] += segment->nblocks > 1 ? segment->nblocks : 0;
}

static void count_bit_vectors(tally *t, const sg_plan *plan)
{
    const sg_variant *v = plan->bits->vectors;
    const sg_body *body = v->bodies;
    const int64_t times = 1 + (plan->past != SG_PAST_NEVER && v->front_trips > 0 ? 1 : 0);
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn_kind kind = kind_of(body->insns[i].op);
        t->insns[kind] += times;
        if (kind == SG_INSNS_LOADS || kind == SG_INSNS_STORES) {
            t->terms[TERM_ACCESSES] += times;
        } else if (kind == SG_INSNS_REGISTERS) {
            t->terms[TERM_REGISTERS] += times;
        }
    }
    t->terms[TERM_CONSTANTS] += body->nconstants * times;
    t->terms[TERM_PAST] += times - 1;
}

static void count_bits(tally *t, const sg_plan *plan, sg_bit_body body)
{
    const sg_bits *bits = plan->bits;
    const bool may = t->on->inlines && body == SG_BIT_PORTABLE && plan->insns <= SHORT_INSNS &&
                     (bits->nbodies == 1 || !t->on->puts);
    const int64_t times = may ? 3 : 1; /* in every entrance */
    count_words(t, &bits->group, times);
    count_words(t, &bits->tail, times);
    print_once(t, times);
    if (body == SG_BIT_VBMI) {
        count_bit_vectors(t, plan);
    }
    t->terms[TERM_FUNCTIONS] += 1;
    t->terms[TERM_OUTPUTS] += bits->ncolumns;
}

/* --- bodies ----------------------------------------------------------------------------------- */

static const char *const bit_body_names[] = {[SG_BIT_PORTABLE] = "portable",
                                             [SG_BIT_PEXT] = "pext",
                                             [SG_BIT_AVX2] = "avx2",
                                             [SG_BIT_AVX512] = "avx512",
                                             [SG_BIT_VBMI] = "avx512"};

/* One body to count: the portable one, a variant, or one over bits. */
typedef struct subject {
    const sg_plan *plan;
    const sg_variant *variant; /* NULL */
    sg_bit_body bits;
    body_sort sort;
} subject;

static int64_t lane_word(const subject *s, const class_info *on)
{
    return s->variant != NULL ? s->variant->isa->unit * s->variant->isa->ways : on->word;
}

/* What chooses between bodies is in the portable functions, for each function they may call. */
static int64_t choices(const sg_plan *plan, sg_target_class target)
{
    int64_t count = 0;
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        const sg_variant *v = &plan->variants[i];
        const forms f = forms_of(plan, v);
        if (find_cost(sort_of_isa[v->isa->isa], target) != NULL) {
            count += functions_of(&f);
        }
    }
    return count;
}

static tally count_subject(const subject *s, sg_target_class target)
{
    const class_info *on = &classes[target];
    tally t = {.on = on, .word = lane_word(s, on), .puts = s->plan->puts && on->puts};
    t.terms[TERM_KERNEL] = 1;
    if (s->variant != NULL) {
        t.puts = true;
        count_variant(&t, s->plan, s->variant);
    } else if (s->plan->bits != NULL) {
        count_bits(&t, s->plan, s->bits);
    } else {
        count_portable(&t, s->plan, is_dropped(s->plan, target));
        t.terms[TERM_CHOICES] = choices(s->plan, target);
        t.terms[TERM_ARGUMENTS] = t.terms[TERM_CHOICES] * moved_outputs(s->plan);
    }
    return t;
}

/* Tenths as whole numbers, to the nearest. */
static int64_t whole(int64_t tenths)
{
    return (tenths + 5) / 10;
}

static void figure_body(const subject *s, sg_body_figures *to)
{
    for (int target = 0; target < SG_CLASS_COUNT; ++target) {
        const cost *c = find_cost(s->sort, (sg_target_class)target);
        const tally t = count_subject(s, (sg_target_class)target);
        int64_t text = 0;
        if (target == SG_CLASS_X86_64) { /* where nothing that is printed is dropped */
            memcpy(to->insns, t.insns, sizeof to->insns);
        }
        if (c == NULL) {
            continue;
        }
        to->runs[target] = true;
        for (int i = 0; i < TERMS; ++i) {
            text += c->text[i] * t.terms[i];
        }
        to->text[target] = whole(text);
        to->stack[target] = whole(c->stack + c->stack_output * columns_of(s->plan) +
                                  c->stack_register * t.terms[TERM_REGISTERS] +
                                  c->stack_feed * t.terms[TERM_FEEDS]);
    }
}

static void add_body(sg_figures *f, const char *name, subject s)
{
    sg_body_figures *to = &f->bodies[f->nbodies++];
    to->name = name;
    to->only = s.variant != NULL ? s.variant->only : SG_UARCH_GENERIC;
    figure_body(&s, to);
}

static void figure_bodies(sg_arena *arena, const sg_plan *plan, sg_figures *f)
{
    const sg_bits *bits = plan->bits;
    f->bodies =
        SG_NEW_ARRAY(arena, sg_body_figures, plan->nvariants + (bits != NULL ? bits->nbodies : 1));
    add_body(f, "portable",
             (subject){plan, NULL, SG_BIT_PORTABLE, bits != NULL ? SORT_WORDS : SORT_PORTABLE});
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        const sg_variant *v = &plan->variants[i];
        if (sg_choices_want(plan, i)) {
            add_body(f, v->isa->name,
                     (subject){plan, v, SG_BIT_PORTABLE, sort_of_isa[v->isa->isa]});
        }
    }
    for (int64_t i = 0; bits != NULL && i < bits->nbodies - 1; ++i) {
        const sg_bit_body body = bits->bodies[i];
        add_body(f, bit_body_names[body],
                 (subject){plan, NULL, body, body == SG_BIT_VBMI ? SORT_VBMI : SORT_PEXT});
    }
}

static void add(int64_t *to, int64_t n)
{
    if (!sg_add64(*to, n, to)) {
        *to = INT64_MAX;
    }
}

/* What is about code in the figures of a plan. A call runs what chooses the body, and in it one. */
static sg_figures code_figures(sg_arena *arena, const sg_plan *plan)
{
    sg_figures f = {0};
    figure_bodies(arena, plan, &f);
    for (int64_t b = 0; b < f.nbodies; ++b) {
        for (int kind = 0; kind < SG_INSN_KINDS; ++kind) {
            f.instructions += f.bodies[b].insns[kind];
        }
        for (int target = 0; target < SG_CLASS_COUNT; ++target) {
            const int64_t under = b == 0 ? 0 : f.bodies[0].stack[target];
            const int64_t stack = under + f.bodies[b].stack[target];
            f.text[target] += f.bodies[b].text[target];
            f.stack[target] = stack > f.stack[target] ? stack : f.stack[target];
        }
    }
    return f;
}

sg_figures sg_figures_count(sg_arena *arena, const sg_plan *plan, const sg_plan *code)
{
    sg_figures f = {.name = plan->split->name,
                    .code_of = code != plan ? code->split->name : NULL,
                    .moved = plan->bytes_moved,
                    .copies = plan->copies};
    for (int target = 0; code != plan && target < SG_CLASS_COUNT; ++target) {
        f.text[target] = classes[target].jump;
    }
    const sg_figures own = code_figures(arena, code);
    memcpy(f.stack, own.stack, sizeof f.stack);
    if (code == plan) {
        f.instructions = own.instructions;
        f.nbodies = own.nbodies;
        f.bodies = own.bodies;
        memcpy(f.text, own.text, sizeof f.text);
    }
    return f;
}

sg_figures sg_figures_total(const sg_figures *figures, int64_t count)
{
    sg_figures total = {.name = "total"};
    for (int64_t i = 0; i < count; ++i) {
        add(&total.moved, figures[i].moved);
        add(&total.copies, figures[i].copies);
        add(&total.instructions, figures[i].instructions);
        for (int target = 0; target < SG_CLASS_COUNT; ++target) {
            add(&total.text[target], figures[i].text[target]);
            if (figures[i].stack[target] > total.stack[target]) {
                total.stack[target] = figures[i].stack[target];
            }
        }
    }
    return total;
}
