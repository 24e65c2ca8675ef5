/* Runs the tool on wrong input and compares every diagnostic with the expectations in comments
 * of the input (cases) or in a table (commands). It has no rules of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"

#define MAX_DIAGNOSTICS 64
#define MAX_ARGS        64
#define TIME_LIMIT      60

/* A diagnostic, expected or printed. */
typedef struct diagnostic {
    const char *file; /* NULL: without a place */
    long line;
    long column;          /* 0: any */
    const char *severity; /* NULL: either error or warning */
    const char *message;  /* expected: compared by says() */
    bool matched;
} diagnostic;

typedef struct diagnostics {
    diagnostic items[MAX_DIAGNOSTICS];
    size_t count;
} diagnostics;

typedef struct runner {
    sg_arena arena;
    const char *tool;
    const char *work; /* empty folder for output */
    FILE *log;        /* the table of bad inputs */
    const char *name; /* of the current test */
    int failures;
    int inputs;
    int tries; /* suggested commands that were run */
} runner;

/* --- small helpers --- */

static void die(const char *what)
{
    fprintf(stderr, "diag_runner: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void complain(runner *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "%s: ", r->name);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
    r->failures++;
}

static char *copy(runner *r, const char *text, size_t len)
{
    return sg_arena_strndup(&r->arena, text, len);
}

static char *read_file(runner *r, const char *path)
{
    sg_buf buf = {0};
    if (!sg_file_read(path, &buf)) {
        die(path);
    }
    char *text = copy(r, buf.ptr != NULL ? buf.ptr : "", buf.len);
    sg_buf_free(&buf);
    return text;
}

/* The next line of *text without its ending, or NULL at the end. */
static char *next_line(runner *r, char **text)
{
    char *line = *text;
    if (*line == '\0') {
        return NULL;
    }
    size_t len = strcspn(line, "\n");
    *text = line + len + (line[len] == '\n' ? 1 : 0);
    return copy(r, line, len);
}

static void add(runner *r, diagnostics *list, diagnostic d)
{
    if (list->count == MAX_DIAGNOSTICS) {
        complain(r, "more than %d diagnostics", MAX_DIAGNOSTICS);
        return;
    }
    list->items[list->count++] = d;
}

/* --- running the tool --- */

typedef struct result {
    int exit; /* or 1000 + signal */
    char *out;
    char *err;
} result;

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0) {
        _exit(126);
    }
    close(fd);
}

static result run_tool(runner *r, char *const args[])
{
    char out[PATH_MAX];
    char err[PATH_MAX];
    snprintf(out, sizeof out, "%s.stdout", r->work);
    snprintf(err, sizeof err, "%s.stderr", r->work);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        die("fork");
    }
    if (pid == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0);
        redirect(out, 1);
        redirect(err, 2);
        alarm(TIME_LIMIT);
        execv(r->tool, args);
        _exit(127);
    }
    int status = 0;
    if (waitpid(pid, &status, 0) != pid) {
        die("waitpid");
    }
    result got = {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), NULL, NULL};
    got.out = read_file(r, out);
    got.err = read_file(r, err);
    unlink(out);
    unlink(err);
    return got;
}

/* Deletes all files in the folder; returns their number. */
static int empty_folder(const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        die(path);
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        count++;
        if (remove(name) != 0) {
            die(name);
        }
    }
    closedir(dir);
    return count;
}

/* --- parsing the output --- */

/* "file:line:column: severity: message" or "splitgen: severity: message". */
static bool read_printed(runner *r, const char *line, diagnostic *d)
{
    static const char *const severities[] = {"error", "warning", "note"};
    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++) {
        char mark[32];
        snprintf(mark, sizeof mark, ": %s: ", severities[i]);
        const char *at = strstr(line, mark);
        if (at == NULL) {
            continue;
        }
        char *place = copy(r, line, (size_t)(at - line));
        *d = (diagnostic){.severity = severities[i], .message = at + strlen(mark)};
        char *colon = strrchr(place, ':');
        if (colon == NULL) {
            return strcmp(place, "splitgen") == 0;
        }
        d->column = strtol(colon + 1, NULL, 10);
        *colon = '\0';
        colon = strrchr(place, ':');
        if (colon == NULL) {
            return false;
        }
        d->line = strtol(colon + 1, NULL, 10);
        *colon = '\0';
        d->file = place;
        return d->line > 0 && d->column > 0;
    }
    return false;
}

static void read_all_printed(runner *r, char *text, diagnostics *out)
{
    for (char *line; (line = next_line(r, &text)) != NULL;) {
        diagnostic d;
        if (line[0] == ' ') {
            continue; /* the excerpt */
        }
        if (read_printed(r, line, &d)) {
            add(r, out, d);
        } else {
            complain(r, "neither diagnostic nor excerpt: %s", line);
        }
    }
}

/* --- comparing --- */

/* For a command, part of the message is expected; for a spec all of it, or the text before
 * "...". */
static bool says(const diagnostic *wanted, const char *message)
{
    if (wanted->line < 0) {
        return strstr(message, wanted->message) != NULL;
    }
    size_t len = strlen(wanted->message);
    if (len > 3 && strcmp(wanted->message + len - 3, "...") == 0) {
        return strncmp(message, wanted->message, len - 3) == 0;
    }
    return strcmp(message, wanted->message) == 0;
}

static bool matches(const diagnostic *wanted, const diagnostic *got)
{
    bool same_severity = wanted->severity == NULL ? strcmp(got->severity, "note") != 0
                                                  : strcmp(wanted->severity, got->severity) == 0;
    if (!same_severity || !says(wanted, got->message)) {
        return false;
    }
    if (wanted->line < 0) {
        return true;
    }
    if (wanted->file == NULL || got->file == NULL) {
        return wanted->file == got->file;
    }
    return strcmp(wanted->file, got->file) == 0 && wanted->line == got->line &&
           (wanted->column == 0 || wanted->column == got->column);
}

static void print_one(runner *r, const char *what, const diagnostic *d)
{
    complain(r, "%s %s:%ld:%ld: %s: %s", what, d->file != NULL ? d->file : "splitgen", d->line,
             d->column, d->severity != NULL ? d->severity : "error", d->message);
}

/* Every expected diagnostic was printed, and no other one. */
static void compare(runner *r, diagnostics *wanted, diagnostics *got, bool notes_count)
{
    for (size_t i = 0; i < wanted->count; i++) {
        diagnostic *w = &wanted->items[i];
        for (size_t k = 0; k < got->count && !w->matched; k++) {
            if (!got->items[k].matched && matches(w, &got->items[k])) {
                w->matched = true;
                got->items[k].matched = true;
            }
        }
        if (!w->matched) {
            print_one(r, "not printed:", w);
        }
    }
    for (size_t k = 0; k < got->count; k++) {
        if (!got->items[k].matched &&
            (notes_count || strcmp(got->items[k].severity, "note") != 0)) {
            print_one(r, "not expected:", &got->items[k]);
        }
    }
}

static void check_run(runner *r, const result *got, int wanted_exit)
{
    if (got->exit > 1000) {
        complain(r, "ended by signal %d", got->exit - 1000);
    } else if (got->exit != wanted_exit) {
        complain(r, "exit %d, expected %d\n%s", got->exit, wanted_exit, got->err);
    }
    int files = empty_folder(r->work);
    if (wanted_exit != 0 && (files > 0 || got->out[0] != '\0')) {
        complain(r, "left output behind: %d files, %zu bytes on standard output", files,
                 strlen(got->out));
    }
}

static void log_input(runner *r, const char *input, const diagnostics *got, int code)
{
    for (size_t i = 0; i < got->count; i++) {
        const diagnostic *d = &got->items[i];
        if (strcmp(d->severity, "note") != 0) {
            fprintf(r->log, "%s\t%ld:%ld\t%s: %s\t%d\n", input, d->line, d->column, d->severity,
                    d->message, code);
            r->inputs++;
        }
    }
}

/* Splits a command line into words like a shell; only quotes and blanks are special. */
static size_t cut_words(runner *r, const char *text, char **words, size_t count)
{
    while (*text != '\0' && count + 1 < MAX_ARGS) {
        char word[4096];
        size_t len = 0;
        text += strspn(text, " ");
        if (*text == '\0') {
            break;
        }
        for (char quote = 0; *text != '\0' && (quote != 0 || *text != ' '); text++) {
            if (*text == quote || (quote == 0 && (*text == '\'' || *text == '"'))) {
                quote = quote == 0 ? *text : (char)0;
            } else if (strncmp(text, "{out}", 5) == 0 && len + strlen(r->work) < sizeof word) {
                len += (size_t)sprintf(word + len, "%s", r->work);
                text += 4;
            } else if (len + 1 < sizeof word) {
                word[len++] = *text;
            }
        }
        words[count++] = copy(r, word, len);
    }
    words[count] = NULL;
    return count;
}

/* --- commands that notes suggest --- */

/* Fills in the words that the user has to replace. */
static char *filled_in(runner *r, const char *command)
{
    static const char *const words[][2] = {
        {"VALUE", "4"}, {"=INTS", "=2,2"}, {"TYPE", "f32"}, {"DIMS", "4,8"}};
    char *text = copy(r, command, strlen(command));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (char *at; (at = strstr(text, words[i][0])) != NULL;) {
            const size_t before = (size_t)(at - text);
            text = sg_arena_printf(&r->arena, "%.*s%s%s", (int)before, text, words[i][1],
                                   at + strlen(words[i][0]));
        }
    }
    return text;
}

/* Runs each "try: splitgen ..." of the notes: it has to do what it is suggested for. */
static void run_tries(runner *r, const diagnostics *got)
{
    static const char before[] = "try: splitgen ";
    for (size_t i = 0; i < got->count; i++) {
        const char *message = got->items[i].message;
        if (strncmp(message, before, sizeof before - 1) != 0) {
            continue;
        }
        char *words[MAX_ARGS] = {copy(r, "splitgen", 8)};
        cut_words(r, filled_in(r, message + sizeof before - 1), words, 1);
        const result ran = run_tool(r, words);
        if (ran.exit != 0 || strstr(ran.err, "error: ") != NULL) {
            complain(r, "'%s' does not work: exit %d\n%s", message, ran.exit, ran.err);
        }
        empty_folder(r->work);
        r->tries++;
    }
}

/* --- cases: specs with expectations in comments --- */

/* The place after the '@': "+1", "-2:5", "7:3", "file:2:3", "nowhere". */
static bool read_place(char *text, const char *file, long line, diagnostic *d)
{
    if (strcmp(text, "nowhere") == 0) {
        return true;
    }
    d->file = file;
    if (strspn(text, "+-0123456789:") != strlen(text)) {
        char *last = strrchr(text, ':');
        while (last != NULL && last > text && *--last != ':') {
        }
        if (last == NULL || last == text) {
            return false;
        }
        *last = '\0';
        d->file = text;
        text = last + 1;
    }
    bool relative = *text == '+' || *text == '-';
    char *end;
    d->line = strtol(text, &end, 10) + (relative ? line : 0);
    d->column = *end == ':' ? strtol(end + 1, &end, 10) : 0;
    return *end == '\0' && d->line > 0;
}

/* Parses "-- error@+1:3: message", "-- exit: 1" and "-- args: ..." in a line. */
static void read_expectation(runner *r, const char *line, long number, diagnostics *wanted,
                             int *wanted_exit, const char **args)
{
    static const char *const severities[] = {"error", "warning", "note"};
    const char *at = line + strspn(line, " ");
    if (strncmp(at, "-- ", 3) != 0) {
        return;
    }
    at += 3;
    if (strncmp(at, "exit: ", 6) == 0) {
        *wanted_exit = (int)strtol(at + 6, NULL, 10);
    } else if (strncmp(at, "args: ", 6) == 0) {
        *args = copy(r, at + 6, strlen(at + 6));
    }
    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++) {
        size_t len = strlen(severities[i]);
        if (strncmp(at, severities[i], len) == 0 && at[len] == '@') {
            const char *place = at + len + 1;
            const char *message = strstr(place, ": ");
            diagnostic d = {.severity = severities[i]};
            if (message == NULL ||
                !read_place(copy(r, place, (size_t)(message - place)), r->name, number, &d)) {
                complain(r, "line %ld is no expectation: %s", number, line);
                return;
            }
            d.message = copy(r, message + 2, strlen(message + 2));
            add(r, wanted, d);
        }
    }
}

static void run_case(runner *r, const char *file)
{
    diagnostics wanted = {0};
    diagnostics got = {0};
    int wanted_exit = 1;
    const char *args = "";
    r->name = file;
    char *text = read_file(r, file);
    long number = 0;
    for (char *line; (line = next_line(r, &text)) != NULL;) {
        read_expectation(r, line, ++number, &wanted, &wanted_exit, &args);
    }
    if (wanted.count == 0) {
        complain(r, "expects nothing");
    }
    char output[PATH_MAX];
    char *words[MAX_ARGS] = {copy(r, "splitgen", 8)};
    snprintf(output, sizeof output, "%s/out.c", r->work);
    size_t count = cut_words(r, args, words, 1);
    words[count++] = "-o";
    words[count++] = output;
    words[count++] = copy(r, file, strlen(file));
    words[count] = NULL;
    result ran = run_tool(r, words);
    read_all_printed(r, ran.err, &got);
    compare(r, &wanted, &got, true);
    check_run(r, &ran, wanted_exit);
    log_input(r, file, &got, ran.exit);
    run_tries(r, &got);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void run_cases(runner *r)
{
    enum { MAX_CASES = 512 };
    char *names[MAX_CASES];
    size_t count = 0;
    DIR *dir = opendir(".");
    if (dir == NULL) {
        die("cases");
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_CASES;) {
        size_t len = strlen(entry->d_name);
        if (len > 4 && strcmp(entry->d_name + len - 4, ".lua") == 0) {
            names[count++] = copy(r, entry->d_name, len);
        }
    }
    closedir(dir);
    qsort(names, count, sizeof names[0], compare_names);
    for (size_t i = 0; i < count; i++) {
        run_case(r, names[i]);
    }
    printf("%zu specs with %d errors and warnings\n", count, r->inputs);
}

/* --- commands: one line each, "command line | exit code | message [&& message]" --- */

static void run_command(runner *r, const char *line)
{
    char *text = copy(r, line, strlen(line));
    char *message = NULL;
    char *code = NULL;
    for (char *at = text; (at = strstr(at, " | ")) != NULL; at += 3) {
        code = message;
        message = at;
    }
    if (code == NULL) {
        complain(r, "not a command: %s", line);
        return;
    }
    *message = '\0';
    *code = '\0';
    diagnostics wanted = {0};
    diagnostics got = {0};
    for (char *part = message + 3; part != NULL;) {
        char *next = strstr(part, " && ");
        size_t len = next != NULL ? (size_t)(next - part) : strlen(part);
        add(r, &wanted, (diagnostic){.line = -1, .message = copy(r, part, len)});
        part = next != NULL ? next + 4 : NULL;
    }
    char *words[MAX_ARGS] = {copy(r, "splitgen", 8)};
    size_t len = strlen(text);
    while (len > 0 && text[len - 1] == ' ') {
        text[--len] = '\0';
    }
    r->name = text;
    cut_words(r, text, words, 1);
    result ran = run_tool(r, words);
    read_all_printed(r, ran.err, &got);
    compare(r, &wanted, &got, false);
    check_run(r, &ran, (int)strtol(code + 3, NULL, 10));
    log_input(r, text, &got, ran.exit);
    run_tries(r, &got);
}

static void run_commands(runner *r, const char *table)
{
    char *text = read_file(r, table);
    int before = r->inputs;
    int count = 0;
    for (char *line; (line = next_line(r, &text)) != NULL;) {
        if (line[0] != '\0' && line[0] != '#') {
            run_command(r, line);
            count++;
        }
    }
    printf("%d command lines with %d errors and warnings\n", count, r->inputs - before);
}

/* diag_runner TOOL CASES COMMANDS WORK LOG LEAST: there must be at least LEAST errors and
 * warnings. */
int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: diag_runner TOOL CASES COMMANDS WORK LOG LEAST\n");
        return 2;
    }
    runner r = {.tool = argv[1], .work = argv[4]};
    sg_arena_init(&r.arena);
    if (mkdir(r.work, 0700) != 0 && errno != EEXIST) {
        die(r.work);
    }
    empty_folder(r.work);
    r.log = fopen(argv[5], "w");
    if (r.log == NULL || chdir(argv[2]) != 0) {
        die(argv[5]);
    }
    fprintf(r.log, "input\tplace\tmessage\texit\n");
    setenv("LC_ALL", "C", 1);
    unsetenv("FORCE_COLOR");
    unsetenv("CLICOLOR_FORCE");
    run_cases(&r);
    run_commands(&r, argv[3]);
    fclose(r.log);
    if (r.inputs < atoi(argv[6])) {
        r.name = "diag_runner";
        complain(&r, "only %d errors and warnings, expected %s", r.inputs, argv[6]);
    }
    printf("%d suggested commands\n", r.tries);
    printf("%d failures; the table is %s\n", r.failures, argv[5]);
    sg_arena_free(&r.arena);
    return r.failures > 0 ? 1 : 0;
}
