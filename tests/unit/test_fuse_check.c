/* Tests of split/fuse_check: it accepts what fusing makes of models, and refuses it after a
 * change of one number, one tensor or one part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/graph/ops.h"
#include "frontend/onnx/onnx_text.h"
#include "split/fuse.h"
#include "split/fuse_check.h"
#include "split/fuse_concat.h"
#include "split/resolve.h"

#define HEAD "<ir_version: 8, opset_import: [\"\" : 18]>\n"

/* Models in which something is fused; every fused kernel is changed below. */
static const char *const models[] = {
    /* neighbours that a Concat reads as one piece, with open rows */
    HEAD "net (float[N,12] x, float[N,1] y) => (s3, j) <int64[3] c = {3,1,8}> {\n"
         "s1, s2, s3 = Split <axis = 1> (x, c)\n j = Concat <axis = 1> (s1, s2, y) }",
    /* another order, and a constant */
    HEAD "net (float[2,6] x) => (j) <int64[3] c = {1,2,3}, float[2,1] k = {1,2}> {\n"
         "a, b, d = Split <axis = 1> (x, c)\n j = Concat <axis = 1> (d, k, a, b) }",
    /* the axes differ */
    HEAD "net (float[4,N,2] x, float[1,N,2] y) => (j) <int64[4] c = {1,1,1,1}> {\n"
         "a, b, d, e = Split <axis = 0> (x, c)\n j = Concat <axis = 2> (a, y)\n"
         "f = Concat <axis = 0> (b, d, e) }",
    HEAD "net (float[3,5,2] x) => (j) <int64[3] c = {1,1,1}> {\n"
         "a, b, d = Split <axis = 0> (x, c)\n j = Concat <axis = 1> (b, a, d) }",
    /* a tree of Splits, one of them along another axis */
    HEAD "net (float[N,12] x) => (a, d, e, f, g) <int64[3] c = {3,5,4}, int64[2] h = {1,4}, "
         "int64[2] o = {2,2}> {\n"
         "a, b, i = Split <axis = 1> (x, c)\n d, e = Split <axis = 1> (b, h)\n f, g = Split <axis "
         "= 1> (i, o) }",
    /* Concats of Concats, of parts of one Split */
    HEAD "net (float[N,12] x, float[N,2] y) => (j) <int64[3] c = {3,5,4}> {\n"
         "a, b, d = Split <axis = 1> (x, c)\n k = Concat <axis = 1> (b, y)\n"
         "j = Concat <axis = 1> (k, a, k, d) }",
    /* a full tensor that is read beside a piece of it */
    HEAD "net (float[N,12] x) => (j) <int64[2] c = {3,9}> {\n"
         "a, b = Split <axis = 1> (x, c)\n j = Concat <axis = 1> (b, x) }",
};
#define NMODELS (sizeof models / sizeof models[0])

typedef struct world {
    sg_arena arena;
    sg_diag diag;
    sg_split **before;
    sg_split **after;
    int64_t nbefore;
    int64_t nafter;
} world;

static void start(world *w, const char *text)
{
    memset(w, 0, sizeof *w);
    sg_arena_init(&w->arena);
    sg_diag_init(&w->diag, &w->arena);
    sg_op_array ops = {0};
    const sg_graph_options options = {.said = {.open = true}, .ops = ~UINT32_C(0)};
    sg_file_list files = {0};
    const sg_source *source = sg_source_new(&w->arena, "net.onnxtxt", text, strlen(text));
    const sg_graph_model *model = sg_onnx_read_text(&w->arena, &w->diag, source, NULL, &files);
    assert_non_null(model);
    assert_true(sg_graph_ops(&w->arena, &w->diag, model, &options, &ops));
    w->nbefore = ops.count;
    w->before = SG_NEW_ARRAY(&w->arena, sg_split *, ops.count);
    w->after = SG_NEW_ARRAY(&w->arena, sg_split *, ops.count);
    const sg_resolve_options resolve = {.prefix = ""};
    for (int64_t i = 0; i < ops.count; i++) {
        w->after[i] = w->before[i] = sg_resolve(&w->arena, &w->diag, ops.items[i], &resolve);
        assert_non_null(w->before[i]);
    }
    w->nafter = sg_fuse_concats(&w->arena, w->after, sg_fuse(&w->arena, w->after, ops.count));
}

static bool accepted(world *w)
{
    return sg_fuse_check(&w->arena, &w->diag, w->before, w->nbefore, w->after, w->nafter);
}

static void done(world *w)
{
    sg_arena_free(&w->arena);
}

static void what_fusing_makes_is_accepted(void **state)
{
    (void)state;
    for (size_t m = 0; m < NMODELS; m++) {
        world w;
        start(&w, models[m]);
        int64_t fused = 0;
        for (int64_t i = 0; i < w.nafter; i++) {
            fused += w.after[i]->nfused;
        }
        assert_true(fused > 0);
        if (!accepted(&w)) {
            fail_msg("model %zu: %s", m, w.diag.first->message);
        }
        done(&w);
    }
}

/* Changes one property of a part; returns false if it has no such property, or the change has no
 * effect. */
static bool change(sg_split *split, int64_t p, int what)
{
    sg_part *part = &split->parts[p];
    sg_part *next = p + 1 < split->nparts ? &split->parts[p + 1] : NULL;
    switch (what) {
    case 0:
        part->start++;
        return true;
    case 1:
        part->row_stride++;
        return sg_split_has_rows(split); /* a single row has no stride */
    case 2:
        part->at++;
        return part->source != NULL;
    case 3:
        part->at--;
        return part->source != NULL;
    case 4:
        part->row_stride--;
        return sg_split_has_rows(split); /* a single row has no stride */
    case 5: /* exchange it with the next one, except for its position */
        if (next != NULL) {
            sg_part other = *next;
            const sg_part own = *part;
            other.start = part->start;
            *part = other;
            *next = own;
            next->start = part->start + part->length;
        }
        return next != NULL;
    case 6: /* another tensor instead of a piece of one */
        if (part->source == NULL || part->in_graph->storage == part->source->in_graph->storage) {
            return false;
        }
        part->source = NULL;
        return true;
    case 7:
        part->data = part->data != NULL ? (const char *)part->data + 4 : "";
        return split->joins && part->source == NULL;
    case 8: /* one element longer, and the next one shorter */
        if (next == NULL) {
            return false;
        }
        part->length++;
        next->length--;
        next->start++;
        return true;
    default:
        return false;
    }
}
#define CHANGES 9

static void every_change_of_a_part_is_refused(void **state)
{
    (void)state;
    int refused = 0;
    for (size_t m = 0; m < NMODELS; m++) {
        bool more = true;
        for (int64_t n = 0; more; n++) { /* each change of the n-th part of the model's fused ops */
            more = false;
            for (int what = 0; what < CHANGES; what++) {
                world w;
                start(&w, models[m]);
                int64_t left = n;
                sg_split *split = NULL;
                for (int64_t i = 0; split == NULL && i < w.nafter; i++) {
                    if (w.after[i]->nfused > 0 && left < w.after[i]->nparts) {
                        split = w.after[i];
                    } else {
                        left -= w.after[i]->nfused > 0 ? w.after[i]->nparts : 0;
                    }
                }
                more = more || split != NULL;
                if (split != NULL && change(split, left, what)) {
                    if (accepted(&w)) {
                        fail_msg("model %zu, part %d: change %d is accepted", m, (int)n, what);
                    }
                    assert_int_equal(sg_diag_exit(&w.diag), SG_EXIT_BUG);
                    refused++;
                }
                done(&w);
            }
        }
    }
    assert_true(refused > 100);
}

/* A tensor that no op writes any more, or that another op needs. */
static void a_lost_tensor_is_refused(void **state)
{
    (void)state;
    for (size_t m = 0; m < NMODELS; m++) {
        for (int64_t lost = 0;; lost++) {
            world w;
            start(&w, models[m]);
            if (lost >= w.nafter) {
                done(&w);
                break;
            }
            w.nafter--;
            for (int64_t i = lost; i < w.nafter; i++) {
                w.after[i] = w.after[i + 1];
            }
            assert_false(accepted(&w));
            done(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fusing_makes_is_accepted),
        cmocka_unit_test(every_change_of_a_part_is_refused),
        cmocka_unit_test(a_lost_tensor_is_refused),
    };
    return cmocka_run_group_tests_name("fuse_check", tests, NULL, NULL);
}
