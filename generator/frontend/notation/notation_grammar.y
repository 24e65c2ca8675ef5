/* The grammar of the one-line notation. Actions only build nodes. No production is empty. Lists
 * recurse on the left, so the stack stays small however long they are. */

%name sg_notation_lr
%token_prefix TK_
%token_type {sg_notation_token}
%extra_context {sg_notation_context *cx}

/* The same order as in notation_tokens.inc. */
%token ARROW BACK AT NAME TYPE INT STAR SLASH COLON LBRACKET RBRACKET COMMA SEMI EQUALS
       QUESTION VIEW OTHER.

%include {
/* Parser of the one-line notation, made by lemon from notation_grammar.y. */
#include "frontend/notation/notation_expected.h"
#include <string.h>
#define YYNOERRORRECOVERY 1
#define sg_notation_lr_ENGINEALWAYSONSTACK 1
}

%type tensor  {sg_notation_tensor *}
%type type    {sg_notation_tensor *}
%type dtype   {sg_notation_token}
%type dims    {sg_notation_dims *}
%type placed  {sg_notation_dims *}
%type some    {sg_notation_dims *}
%type strides {sg_notation_dims *}
%type dim     {sg_op_num}
%type parts   {sg_notation_parts *}
%type equal   {sg_notation_parts *}
%type names   {sg_notation_parts *}
%type lengths {sg_notation_parts *}
%type part    {sg_notation_part *}
%type sized   {sg_notation_part *}
%type arrow   {sg_notation_token}
%type whole   {sg_notation_tensor *}
%type length  {sg_notation_token}

%parse_accept { cx->accepted = true; }
%syntax_error { cx->failed = true; (void)TOKEN; (void)yymajor; }

%start_symbol text
text ::= ops.
text ::= ops SEMI.

ops ::= op.
ops ::= ops SEMI op.

op ::= tensor(T) arrow(D) parts(P).           { sg_notation_op_add(cx, T, NULL, &D, P); }
op ::= tensor(T) AT INT(A) arrow(D) parts(P). { sg_notation_op_add(cx, T, &A, &D, P); }

/* whole -> parts   whole <- parts */
arrow(D) ::= ARROW(N).                        { D = N; }
arrow(D) ::= BACK(N).                         { D = N; }

/* qkv: f32[1,1024,2304] */
tensor(T) ::= whole(U).                       { T = U; }
tensor(T) ::= NAME(N) COLON whole(U).         { T = U; sg_notation_tensor_name(T, &N); }

/* f32[197,2304]   f32[197,2304]/4096 */
whole(T) ::= type(U).                         { T = U; }
whole(T) ::= type(U) SLASH INT(S).            { T = U; sg_notation_tensor_stride(T, &S); }

type(T) ::= dtype(N) LBRACKET(L) RBRACKET(R).
                { T = sg_notation_tensor_new(cx, &N, sg_notation_dims_new(cx), &L, &R); }
type(T) ::= dtype(N) LBRACKET(L) dims(D) RBRACKET(R).
                { T = sg_notation_tensor_new(cx, &N, D, &L, &R); }

dtype(D) ::= NAME(N).                         { D = N; }
dtype(D) ::= TYPE(N).                         { D = N; }

/* 1920   1080/6144: a dimension, with the stride in elements after the slash */
dims(D) ::= placed(N).                        { D = N; }
placed(D) ::= some(E).                        { D = E; }
placed(D) ::= some(E) SLASH INT(S).           { D = E; sg_notation_dims_stride(cx, D, &S); }
some(D) ::= dim(N).           { D = sg_notation_dims_new(cx); sg_notation_dims_add(cx, D, N); }
some(D) ::= placed(E) COMMA dim(N).           { D = E; sg_notation_dims_add(cx, D, N); }

/* 1024   batch?   batch=64? */
dim(D) ::= INT(N).                            { D = sg_notation_dim(&N); }
dim(D) ::= NAME(N) QUESTION(Q).               { D = sg_notation_dim_free(cx, &N, NULL, &Q); }
dim(D) ::= NAME(N) EQUALS INT(E) QUESTION(Q). { D = sg_notation_dim_free(cx, &N, &E, &Q); }

/* /3   q k v /3   q:768 k:768 v:*   768, 768, *   q:view:768, view:*   q:768/1024   /3/1024
   r:1/2048/1 */
parts(P) ::= equal(Q).                        { P = Q; }
parts(P) ::= equal(Q) strides(S).             { P = Q; sg_notation_parts_strides(cx, P, S); }
parts(P) ::= lengths(Q).                      { P = Q; }

equal(P) ::= SLASH(S) INT(N).
                { P = sg_notation_parts_new(cx); sg_notation_parts_equal(P, &S, &N); }
equal(P) ::= names(Q) SLASH(S) INT(N).        { P = Q; sg_notation_parts_equal(P, &S, &N); }

names(P) ::= NAME(N).
                { P = sg_notation_parts_new(cx);
                  sg_notation_parts_add(cx, P, sg_notation_part_new(cx, &N, NULL)); }
names(P) ::= names(Q) NAME(N).
                { P = Q; sg_notation_parts_add(cx, P, sg_notation_part_new(cx, &N, NULL)); }
names(P) ::= names(Q) COMMA NAME(N).
                { P = Q; sg_notation_parts_add(cx, P, sg_notation_part_new(cx, &N, NULL)); }

lengths(P) ::= part(N).       { P = sg_notation_parts_new(cx); sg_notation_parts_add(cx, P, N); }
lengths(P) ::= lengths(Q) part(N).            { P = Q; sg_notation_parts_add(cx, P, N); }
lengths(P) ::= lengths(Q) COMMA part(N).      { P = Q; sg_notation_parts_add(cx, P, N); }

part(P) ::= sized(Q).                         { P = Q; }
part(P) ::= sized(Q) strides(S).              { P = Q; sg_notation_part_strides(P, S); }

strides(D) ::= SLASH INT(S).
                { D = sg_notation_dims_new(cx); sg_notation_dims_add(cx, D, sg_notation_dim(&S)); }
strides(D) ::= strides(E) SLASH INT(S).
                { D = E; sg_notation_dims_add(cx, D, sg_notation_dim(&S)); }

sized(P) ::= length(L).                       { P = sg_notation_part_new(cx, NULL, &L); }
sized(P) ::= NAME(N) COLON length(L).         { P = sg_notation_part_new(cx, &N, &L); }
sized(P) ::= VIEW(V) COLON length(L).
                { P = sg_notation_part_new(cx, NULL, &L); sg_notation_part_view(P, &V); }
sized(P) ::= NAME(N) COLON VIEW(V) COLON length(L).
                { P = sg_notation_part_new(cx, &N, &L); sg_notation_part_view(P, &V); }

length(L) ::= INT(N).                         { L = N; }
length(L) ::= STAR(N).                        { L = N; }

%code {
#include "frontend/notation/expected.inc"

#define X(id, text) _Static_assert((int)SG_NOTATION_##id == TK_##id, "order of " #id);
#include "frontend/notation/notation_tokens.inc"
#undef X
_Static_assert((int)SG_NOTATION_OTHER == TK_OTHER, "order of OTHER");

bool sg_notation_run(sg_notation_context *cx)
{
    yyParser parser;
    sg_notation_token token = {SG_NOTATION_END, {0}, 0};
    sg_notation_token previous;
    lr_stack stack;
    sg_notation_lrInit(&parser, cx);
    do {
        previous = token;
        SG_TRY(sg_notation_lex(&cx->lexer, &token));
        lr_save(&stack, &parser);
        sg_notation_lr(&parser, (int)token.kind, token);
    } while (!cx->failed && token.kind != SG_NOTATION_END);
    if (cx->failed) {
        bool expected[SG_NOTATION_KINDS];
        for (int kind = 0; kind < SG_NOTATION_KINDS; kind++) {
            expected[kind] = lr_accepts(&stack, (YYCODETYPE)kind);
        }
        return sg_notation_unexpected(cx, &token, &previous, expected);
    }
    if (!cx->accepted) {
        return sg_diag_fail(cx->diag, SG_EXIT_BUG, token.span, "the notation's parser gave up");
    }
    sg_notation_lrFinalize(&parser);
    return true;
}
}
