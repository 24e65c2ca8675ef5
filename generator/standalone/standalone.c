/* Finds the pieces that a text needs, and prints them in the order of the headers. */
#include "standalone/standalone.h"

#include <string.h>

#include "standalone/headers.h"
#include "standalone/pieces.h"

/* --- what a text needs -------------------------------------------------------------------------
 */

typedef struct task {
    int64_t piece;
    unsigned on; /* targets that newly need it */
} task;

typedef struct search {
    sg_pieces *pieces;
    int64_t from; /* the piece that is read; -1: the printed text */
    task *tasks;
    int64_t count;
    int64_t capacity;
} search;

static void need(search *s, int64_t number, unsigned on)
{
    sg_piece *piece = &s->pieces->items[number];
    const unsigned here = piece->branch != NULL ? piece->branch->on : SG_ON_ANY;
    const unsigned more = on & here & ~piece->needed;
    const bool visible = piece->until < 0 || (number < s->from && s->from < piece->until);
    if (more != 0 && visible) {
        piece->needed |= more;
        s->tasks = SG_GROWN(s->pieces->arena, s->tasks, s->count, s->capacity);
        s->tasks[s->count++] = (task){number, more};
    }
}

static bool need_name(search *s, sg_str name, unsigned on)
{
    const sg_pieces *p = s->pieces;
    const bool is_local = name.len < 9 || (memcmp(name.ptr, "splitgen_", 9) != 0 &&
                                           memcmp(name.ptr, "SPLITGEN_", 9) != 0);
    bool found = false;
    for (int64_t i = sg_pieces_find(p, name); i >= 0; i = p->definitions[i].next) {
        const sg_piece *piece = &p->items[p->definitions[i].piece];
        if (!is_local || piece->is_system || !piece->is_source ||
            (s->from >= 0 && p->items[s->from].file == piece->file)) {
            found = true;
            need(s, p->definitions[i].piece, on);
        }
    }
    return found;
}

static void need_word(void *user, const sg_c_word *word)
{
    enum { START_MIN = 3, START_MAX = 64 };
    search *s = user;
    const sg_pieces *p = s->pieces;
    char start[START_MAX + 1];
    if (word->name.len < START_MIN || word->name.len >= START_MAX) {
        return;
    }
    memcpy(start, word->name.ptr, word->name.len);
    start[word->name.len] = '*';
    if (word->is_pasted && need_name(s, (sg_str){start, word->name.len + 1}, word->on)) {
        return;
    }
    if (word->is_pasted && !sg_str_eqz(word->name, "SPLITGEN_")) {
        for (int64_t i = 0; i < p->ndefinitions; i++) {
            const sg_str name = p->definitions[i].name;
            if (name.len >= word->name.len &&
                memcmp(name.ptr, word->name.ptr, word->name.len) == 0) {
                need(s, p->definitions[i].piece, word->on);
            }
        }
    }
    bool found = need_name(s, word->name, word->on);
    for (size_t n = word->name.len; !found && n >= START_MIN; n--) {
        start[n] = '*';
        found = need_name(s, (sg_str){start, n + 1}, word->on);
    }
}

/* --- conditions --------------------------------------------------------------------------------
 */

enum { NESTED_MAX = 16 };

/* Whether a branch holds for certain on these targets, so that its directives are not printed. */
static bool is_certain(const sg_branch *branch, unsigned on)
{
    const sg_c_condition *all = branch->group->conditions;
    bool earlier = false;
    for (int64_t i = 0; i < branch->index; i++) {
        earlier = earlier || (all[i].can & on) != 0;
    }
    return !earlier && (on & ~all[branch->index].must) == 0;
}

/* The branches around a piece whose directives are printed, outermost first. */
static int printed_branches(const sg_piece *piece, const sg_branch *path[NESTED_MAX])
{
    int count = 0;
    for (const sg_branch *b = piece->branch; b != NULL && count < NESTED_MAX; b = b->up) {
        if (!is_certain(b, piece->needed)) {
            memmove(path + 1, path, (size_t)count * sizeof *path);
            path[0] = b;
            count++;
        }
    }
    return count;
}

/* Adds the directives of a group from `from` to `to` that its targets need. */
static void add_directives(sg_buf *out, const sg_group *group, int64_t from, int64_t to,
                           const sg_nameset *given)
{
    unsigned left = group->needed;
    const char *word = "if";
    for (int64_t i = 0; i <= to; i++) {
        const sg_c_condition *c = &group->conditions[i];
        if ((left & c->can) != 0) {
            const bool rest = (left & ~c->must) == 0 && *word == 'e';
            if (i >= from) {
                sg_c_add_directive(out, rest ? "else" : word, group->directives[i], left, given);
            }
            word = "elif";
            left &= ~c->must;
        }
    }
}

/* The condition for these targets. */
static void add_condition(sg_buf *out, unsigned on)
{
    const bool others = (on & SG_ON_OTHER) != 0;
    const char *between = "#if ";
    for (size_t i = 0; i < SG_C_TARGETS; i++) {
        if (((on & sg_c_targets[i].on) != 0) != others) {
            sg_buf_printf(out, "%s%s%s", between, others ? "!" : "", sg_c_targets[i].macro);
            between = others ? " && " : " || ";
        }
    }
    sg_buf_addc(out, '\n');
}

/* Finds what the tasks need. */
static void finish(search *s)
{
    while (s->count > 0) {
        const task t = s->tasks[--s->count];
        const sg_piece *piece = &s->pieces->items[t.piece];
        const sg_branch *path[NESTED_MAX];
        s->from = t.piece;
        sg_c_words(piece->text, t.on, &s->pieces->given, need_word, s);
        for (int i = printed_branches(piece, path); i-- > 0;) {
            sg_group *group = path[i]->group;
            sg_buf directives = {0};
            group->needed |= piece->needed;
            add_directives(&directives, group, 0, group->count - 1, &s->pieces->given);
            sg_c_words((sg_str){directives.ptr, directives.len}, group->needed, &s->pieces->given,
                       need_word, s);
            sg_buf_free(&directives);
        }
    }
}

/* --- printing ----------------------------------------------------------------------------------
 */

typedef struct printer {
    sg_buf *out;
    const sg_nameset *given;
    unsigned around; /* the targets of the condition around the open branches; 0: none */
    const sg_branch *open[NESTED_MAX]; /* outermost first */
    int depth;
    sg_str comment; /* the last one */
    bool begins;    /* the last line opens a condition */
    bool was_block; /* the last piece has several lines, and is no macro */
} printer;

static void add_end(printer *p)
{
    sg_buf_addc(p->out, '#');
    sg_buf_addz(p->out, "endif\n");
}

static void close_to(printer *p, int depth)
{
    for (; p->depth > depth; p->depth--) {
        add_end(p);
    }
}

static void separate(printer *p, bool wanted)
{
    if (wanted && !p->begins && p->out->len > 0) {
        sg_buf_addc(p->out, '\n');
    }
    p->was_block = false;
}

static void print_comment(printer *p, sg_str comment)
{
    if (comment.len > 0 && comment.ptr != p->comment.ptr) {
        separate(p, true);
        sg_buf_add(p->out, comment.ptr, comment.len);
        p->comment = comment;
        p->begins = true;
    }
}

/* Prints it before the first piece of a group. */
static void print_group_comment(printer *p, sg_group *group)
{
    print_comment(p, group->comment);
    group->comment.len = 0;
}

static void open_around(printer *p, unsigned around)
{
    if (around != p->around) {
        close_to(p, 0);
        if (p->around != 0) {
            add_end(p);
        }
        if (around != 0) {
            separate(p, true);
            add_condition(p->out, around);
            p->begins = true;
        }
        p->around = around;
    }
}

/* Opens the branches of a piece, and closes others. */
static void open_branches(printer *p, const sg_branch *const *path, int count)
{
    int same = 0;
    while (same < p->depth && same < count && p->open[same] == path[same]) {
        same++;
    }
    const bool next = same < p->depth && same < count && p->open[same]->group == path[same]->group;
    close_to(p, same + next);
    for (int i = same; i < count; i++) {
        const bool follows = i == same && next;
        const int64_t from = follows ? p->open[i]->index + 1 : 0;
        if (!follows) {
            print_group_comment(p, path[i]->group);
            separate(p, p->was_block);
        }
        add_directives(p->out, path[i]->group, from, path[i]->index, p->given);
        p->begins = true;
        p->open[i] = path[i];
    }
    p->depth = count;
}

static void print_piece(printer *p, const sg_piece *piece, unsigned around)
{
    const bool is_macro = *piece->text.ptr == '#';
    const bool is_block = !is_macro && memchr(piece->text.ptr, '\n', piece->text.len - 1) != NULL;
    const sg_branch *path[NESTED_MAX];
    open_around(p, around);
    open_branches(p, path, printed_branches(piece, path));
    for (const sg_branch *b = piece->branch; b != NULL; b = b->up) {
        if (is_certain(b, piece->needed)) {
            print_group_comment(p, b->group);
        }
    }
    print_comment(p, piece->comment);
    separate(p, p->was_block || is_block);
    sg_buf_add(p->out, piece->text.ptr, piece->text.len);
    p->begins = false;
    p->was_block = is_block;
}

/* --- texts -------------------------------------------------------------------------------------
 */

/* Collects the macros that a text defines. */
static void collect_macros(sg_pieces *pieces, const sg_buf *text)
{
    const sg_str all = {text->ptr, text->len};
    for (size_t at = 0; at < all.len; at = sg_c_line_end(all, at)) {
        sg_str line = {all.ptr + at, all.len - at};
        if (sg_str_eqz(sg_c_directive(line), "define")) {
            size_t name_at = 1 + strlen("define");
            const sg_str name = sg_c_next_name(line, &name_at);
            const char *key = sg_arena_strndup(pieces->arena, name.ptr, name.len);
            if (sg_nameset_find(&pieces->given, key) == NULL) {
                sg_nameset_add(&pieces->given, key, 0);
            }
        }
    }
}

/* Cuts the headers that a text includes. is_text: it is printed, not what it includes. */
static void cut_included(sg_arena *arena, sg_pieces *pieces, sg_str text, bool is_text)
{
    for (size_t at = 0; at < text.len; at = sg_c_line_end(text, at)) {
        const sg_str name =
            sg_c_included_own((sg_str){text.ptr + at, sg_c_line_end(text, at) - at});
        if (name.len > 0) {
            pieces->include += is_text;
            sg_pieces_cut(pieces, sg_arena_strndup(arena, name.ptr, name.len));
        }
    }
}

static void cut_sources(sg_pieces *pieces)
{
    for (size_t i = 0; i < sg_header_count; i++) {
        if (sg_header_is_source(&sg_headers[i])) {
            sg_pieces_cut(pieces, sg_headers[i].name);
        }
    }
}

/* Marks the lines whose need follows from that of others: #undef, and headers of the system that
 * have no names of their own. */
static void mark_others(sg_pieces *pieces)
{
    for (int64_t i = 0; i < pieces->count; i++) {
        const sg_piece *piece = &pieces->items[i];
        if (piece->until >= 0) {
            pieces->items[piece->until].needed |= piece->needed;
        }
        for (int64_t k = 0; piece->is_common && k < pieces->count; k++) {
            if (pieces->items[k].file == piece->file && !pieces->items[k].is_system) {
                pieces->items[i].needed |= pieces->items[k].needed;
            }
        }
    }
}

/* The targets of the condition that a piece needs around it; 0: none. first: the piece before the
 * first that may have one. */
static unsigned around_of(const sg_pieces *pieces, int64_t number, int64_t first)
{
    const sg_piece *piece = &pieces->items[number];
    const sg_branch *path[NESTED_MAX];
    const bool has_path = printed_branches(piece, path) > 0;
    const unsigned needed = has_path ? path[0]->group->needed : piece->needed;
    const unsigned here = has_path ? path[0]->own : SG_ON_ANY;
    const bool is_plain =
        piece->is_system && (piece->branch == NULL || piece->branch->on == SG_ON_ANY);
    return number > first && needed != here && needed != SG_ON_ANY && !is_plain ? needed : 0;
}

/* Leaves what `had` has not; the groups need what their pieces need. */
static void leave(sg_pieces *pieces, const unsigned *had)
{
    const sg_branch *path[NESTED_MAX];
    for (int i = 0; i < 2 * pieces->count; i++) {
        sg_piece *piece = &pieces->items[i % pieces->count];
        piece->needed &= ~had[i % pieces->count];
        for (int k = printed_branches(piece, path); k-- > 0;) {
            path[k]->group->needed = i < pieces->count ? 0 : path[k]->group->needed | piece->needed;
        }
    }
}

/* Whether a piece is the only definition of a macro. */
static bool is_only_macro(const sg_pieces *pieces, const sg_piece *piece)
{
    size_t at = 1;
    const bool defines = sg_str_eqz(sg_c_directive(piece->text), "define");
    (void)sg_c_next_name(piece->text, &at);
    const int64_t found = sg_pieces_find(pieces, sg_c_next_name(piece->text, &at));
    return defines && found >= 0 && pieces->definitions[found].next < 0;
}

static void print_include(printer *p, const sg_pieces *pieces, int64_t first, int include)
{
    for (int64_t i = 0; i < pieces->count; i++) {
        const sg_piece *piece = &pieces->items[i];
        if (piece->include == include && piece->needed != 0) {
            unsigned around = around_of(pieces, i, first);
            if (around != 0 && is_only_macro(pieces, piece)) {
                /* other targets may have a macro that they do not need */
                around = (around & ~p->around) == 0 ? p->around : 0;
            }
            print_piece(p, piece, around);
        }
    }
    open_around(p, 0);
    close_to(p, 0);
}

void sg_standalone(sg_arena *arena, sg_buf *text, const sg_buf *base)
{
    sg_pieces pieces = {.arena = arena, .include = -1};
    const sg_str all = {text->ptr, text->len};
    sg_nameset_init(&pieces.names, arena);
    sg_nameset_init(&pieces.given, arena);
    sg_nameset_init(&pieces.included, arena);
    collect_macros(&pieces, text);
    if (base != NULL) {
        collect_macros(&pieces, base);
        pieces.include = 0; /* what it has not is printed at the first #include of the text */
        cut_included(arena, &pieces, (sg_str){base->ptr, base->len}, false);
        pieces.include = -1;
    }
    cut_included(arena, &pieces, all, true);
    cut_sources(&pieces);

    search s = {.pieces = &pieces, .from = -1};
    unsigned *had = SG_NEW_ARRAY(arena, unsigned, pieces.count);
    if (base != NULL) {
        sg_c_words((sg_str){base->ptr, base->len}, SG_ON_ANY, &pieces.given, need_word, &s);
        finish(&s);
        mark_others(&pieces);
        for (int64_t i = 0; i < pieces.count; i++) {
            had[i] = pieces.items[i].needed;
        }
    }
    s.from = -1;
    sg_c_words(all, SG_ON_ANY, &pieces.given, need_word, &s);
    finish(&s);
    int64_t first = -1; /* the last piece that defines a target */
    for (size_t i = 0; i < SG_C_TARGETS; i++) {
        const int64_t found = sg_pieces_find(&pieces, sg_str_from(sg_c_targets[i].macro));
        const int64_t last = found >= 0 ? pieces.definitions[found].piece : pieces.count;
        first = last > first ? last : first;
    }
    for (int64_t i = 0; i < pieces.count; i++) {
        sg_buf condition = {0};
        add_condition(&condition, around_of(&pieces, i, first));
        sg_c_words((sg_str){condition.ptr, condition.len}, SG_ON_ANY, &pieces.given, need_word, &s);
        sg_buf_free(&condition);
    }
    finish(&s);
    mark_others(&pieces);
    leave(&pieces, had);

    sg_buf out = {0};
    int include = 0;
    for (size_t at = 0; at < all.len;) {
        const size_t end = sg_c_line_end(all, at);
        if (sg_c_included_own((sg_str){all.ptr + at, end - at}).len > 0) {
            printer p = {.out = &out, .given = &pieces.given};
            print_include(&p, &pieces, first, include++);
        } else {
            sg_buf_add(&out, all.ptr + at, end - at);
        }
        at = end;
    }
    sg_buf_free(text);
    *text = out;
}
