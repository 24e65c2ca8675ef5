/* Parses the file of --machine, line by line. */
#include "driver/machine_file.h"

#include <stddef.h>

/* Limits a number, so that it is exact as an integer divided by a power of ten. */
#define DIGITS_MAX 9
#define NUMBER_MAX 1000

typedef struct number_info {
    const char *name;
    size_t at; /* offset in sg_cost */
    bool is_rate;
} number_info;

static const number_info numbers[] = {
#define RATE(name)  {#name, offsetof(sg_cost, name), true},
#define COUNT(name) {#name, offsetof(sg_cost, name), false},
    SG_COST_NUMBERS(RATE, COUNT)
#undef COUNT
#undef RATE
};
#define NNUMBERS ((int)(sizeof numbers / sizeof numbers[0]))

/* State of the parser: the current instruction set, and all before it. */
typedef struct reader {
    sg_arena *arena;
    sg_diag *diag;
    sg_machine *machine;
    int isa; /* -1: none yet, or unknown */
    bool began;
    sg_span sets[SG_ISA_COUNT]; /* position of each instruction set; source NULL: not in the file */
    sg_span given[SG_ISA_COUNT][NNUMBERS]; /* positions of its numbers */
} reader;

static sg_span without_spaces(sg_span span)
{
    const char *text = span.source->text;
    while (span.begin < span.end && sg_is_space((unsigned char)text[span.begin])) {
        ++span.begin;
    }
    while (span.end > span.begin && sg_is_space((unsigned char)text[span.end - 1])) {
        --span.end;
    }
    return span;
}

/* Splits a span at a character; false: the character is not in it. */
static bool cut(sg_span span, char at, sg_span *before, sg_span *behind)
{
    for (size_t i = span.begin; i < span.end; ++i) {
        if (span.source->text[i] == at) {
            *before = without_spaces(sg_span_make(span.source, span.begin, i));
            *behind = without_spaces(sg_span_make(span.source, i + 1, span.end));
            return true;
        }
    }
    return false;
}

/* Reports an unknown word: suggests a similar one, or lists all. */
static bool unknown(const reader *r, sg_span span, const char *what, const char *const *words,
                    int count)
{
    const sg_str text = sg_span_text(span);
    const char *near = sg_suggest(text, words, (size_t)count);
    if (near != NULL) {
        return sg_diag_error(r->diag, span, "there is no %s '%.*s'; did you mean '%s'?", what,
                             (int)text.len, text.ptr, near);
    }
    const char *all = words[0];
    for (int i = 1; i < count; ++i) {
        all = sg_arena_printf(r->arena, "%s, %s", all, words[i]);
    }
    return sg_diag_error(r->diag, span, "there is no %s '%.*s'; there are %s", what, (int)text.len,
                         text.ptr, all);
}

static bool twice(const reader *r, sg_span span, sg_span first)
{
    const sg_str text = sg_span_text(span);
    (void)sg_diag_error(r->diag, span, "'%.*s' is given twice", (int)text.len, text.ptr);
    sg_diag_note(r->diag, first, "it is given here first");
    return false;
}

static bool read_set(reader *r, sg_span name)
{
    const char *words[SG_ISA_COUNT];
    r->isa = -1;
    r->began = true;
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        words[i] = sg_isa_get((sg_isa)i)->id;
        if (sg_str_eqz(sg_span_text(name), words[i])) {
            r->isa = i;
        }
    }
    if (r->isa < 0) {
        return unknown(r, name, "instruction set", words, SG_ISA_COUNT);
    }
    if (r->sets[r->isa].source != NULL) {
        const sg_span first = r->sets[r->isa];
        r->isa = -1;
        return twice(r, name, first);
    }
    r->sets[r->isa] = name;
    r->machine->costs[r->isa].uarch = SG_UARCH_MEASURED;
    r->machine->costs[r->isa].isa = (sg_isa)r->isa;
    return true;
}

/* Digits, optionally followed by a point and digits. */
static bool parse_number(sg_str text, double *number)
{
    double whole = 0;
    double parts = 1;
    size_t digits = 0;
    bool point = false;
    for (size_t i = 0; i < text.len; ++i) {
        if (text.ptr[i] == '.' && !point && digits > 0) {
            point = true;
        } else if (sg_is_digit((unsigned char)text.ptr[i])) {
            whole = whole * 10 + (text.ptr[i] - '0');
            parts *= point ? 10 : 1;
            ++digits;
        } else {
            return false;
        }
    }
    *number = whole / parts;
    return digits > 0 && digits <= DIGITS_MAX && text.ptr[text.len - 1] != '.' &&
           *number <= NUMBER_MAX;
}

/* Whether a number may be 0. A rate may not, and neither may the cost of a two-source permute if
 * the instruction set has one. */
static bool may_be_none(sg_isa isa, const number_info *info)
{
    return !info->is_rate &&
           (info->at != offsetof(sg_cost, permute2) || !sg_isa_get(isa)->has_permute2);
}

static bool read_number(reader *r, sg_span name, sg_span value)
{
    const char *words[NNUMBERS];
    int found = -1;
    for (int i = 0; i < NNUMBERS; ++i) {
        words[i] = numbers[i].name;
        if (sg_str_eqz(sg_span_text(name), words[i])) {
            found = i;
        }
    }
    if (found < 0) {
        return unknown(r, name, "number", words, NNUMBERS);
    }
    const sg_str text = sg_span_text(value);
    double number = 0;
    if (!parse_number(text, &number)) {
        return sg_diag_error(r->diag, value,
                             "'%.*s' is not a number from 0 to %d such as 1.25, of at most %d "
                             "digits",
                             (int)text.len, text.ptr, NUMBER_MAX, DIGITS_MAX);
    }
    if (r->isa < 0) {
        return !r->began ? sg_diag_error(r->diag, name,
                                         "'%s' is a number of no instruction set; write one in "
                                         "front, such as [%s]",
                                         words[found], sg_isa_get((sg_isa)0)->id)
                         : true;
    }
    if (number <= 0 && !may_be_none((sg_isa)r->isa, &numbers[found])) {
        return sg_diag_error(r->diag, value, "'%s' of %s must be more than 0", words[found],
                             sg_isa_get((sg_isa)r->isa)->id);
    }
    sg_span *given = &r->given[r->isa][found];
    if (given->source != NULL) {
        return twice(r, name, *given);
    }
    *given = name;
    *(double *)(void *)((char *)&r->machine->costs[r->isa] + numbers[found].at) = number;
    return true;
}

static bool read_line(reader *r, sg_span line)
{
    sg_span before;
    sg_span behind;
    if (cut(line, '#', &before, &behind)) {
        line = before;
    }
    line = without_spaces(line);
    if (line.begin == line.end) {
        return true;
    }
    const char *text = line.source->text;
    if (text[line.begin] == '[' && text[line.end - 1] == ']') {
        return read_set(r, without_spaces(sg_span_make(line.source, line.begin + 1, line.end - 1)));
    }
    if (cut(line, '=', &before, &behind)) {
        return read_number(r, before, behind);
    }
    static const char *const choices[] = {"an instruction set in brackets", "NAME = NUMBER",
                                          "a comment behind '#'"};
    return sg_diag_unexpected(r->diag, line, false, choices, 3);
}

/* Reports the numbers that are missing for an instruction set. */
static bool check_set(const reader *r, int isa)
{
    const char *lacking = "";
    for (int i = 0; i < NNUMBERS; ++i) {
        if (r->given[isa][i].source == NULL) {
            lacking = sg_arena_printf(r->arena, "%s%s'%s'", lacking, lacking[0] != '\0' ? ", " : "",
                                      numbers[i].name);
        }
    }
    return lacking[0] == '\0' || sg_diag_error(r->diag, r->sets[isa], "%s lacks %s",
                                               sg_isa_get((sg_isa)isa)->id, lacking);
}

bool sg_machine_file_parse(sg_arena *arena, sg_diag *diag, const sg_source *source,
                           sg_machine *machine)
{
    reader *r = SG_NEW(arena, reader);
    *r = (reader){.arena = arena, .diag = diag, .machine = machine, .isa = -1};
    bool ok = true;
    for (size_t i = 1; i <= source->nlines; ++i) {
        ok = read_line(r, sg_source_line_span(source, i)) && ok;
    }
    for (int i = 0; ok && i < SG_ISA_COUNT; ++i) {
        ok = r->sets[i].source == NULL || check_set(r, i);
    }
    return ok && (r->began || sg_diag_error(diag, sg_span_make(source, 0, source->len),
                                            "there is no instruction set in this file; "
                                            "'python -m splitgen tune' writes one"));
}
