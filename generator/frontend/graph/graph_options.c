/* Selects nodes by --ops, --only and --except. */
#include "frontend/graph/graph_options.h"

/* '*' matches any text, '?' any byte. Backtracking to the last star only is enough, and keeps this
 * linear for each star. */
static bool matches(const char *glob, const char *text)
{
    const char *star = NULL;
    const char *from = text;
    while (*text != '\0') {
        if (*glob == '*') {
            star = glob++;
            from = text;
        } else if (*glob == '?' || (*glob == *text && *glob != '\0')) {
            ++glob;
            ++text;
        } else if (star != NULL) {
            glob = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*glob == '*') {
        ++glob;
    }
    return *glob == '\0';
}

static bool matches_any(sg_graph_glob *globs, int64_t count, const char *name)
{
    bool any = false;
    for (int64_t i = 0; i < count; ++i) {
        if (matches(globs[i].text, name)) {
            globs[i].used = true;
            any = true;
        }
    }
    return any;
}

void sg_graph_count(const sg_graph_options *options, sg_graph_ops_word word)
{
    if (options->found != NULL) {
        options->found->counts[word]++;
    }
}

bool sg_graph_takes(const sg_graph_options *options, sg_graph_ops_word word)
{
    const uint32_t all = UINT32_C(1) << SG_GRAPH_OPS_ALL;
    const uint32_t ops = options->ops != 0 ? options->ops : UINT32_C(1) << SG_GRAPH_OPS_SPLIT;
    return (ops & (all | UINT32_C(1) << word)) != 0;
}

bool sg_graph_is_chosen(const sg_graph_options *options, const char *name)
{
    const bool excepted = matches_any(options->except, options->nexcept, name);
    return (matches_any(options->only, options->nonly, name) || options->nonly == 0) && !excepted;
}
