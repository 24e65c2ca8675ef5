/* The grammar of ONNX's textual syntax. Actions only build. No production is empty. Lists recurse
 * on the left, so the stack grows with open brackets only. */

%name sg_onnx_text_lr
%token_prefix TK_
%token_type {sg_onnx_text_token}
%extra_context {sg_onnx_text_context *cx}
/* For each open bracket the stack holds at most ten symbols (SG_ONNX_TEXT_DEPTH). */
%stack_size 2048

/* The same order as in onnx_text_tokens.inc. */
%token PRIM SEQ MAP OPTIONAL SPARSE OPAQUE NAME FLOATWORD STRING INT FLOAT QMARK AT DOT COLON EQ
       ARROW COMMA LPAREN RPAREN LBRACKET RBRACKET LBRACE RBRACE LT GT OTHER.

%include {
/* Parser of ONNX's textual syntax, made by lemon from onnx_text_grammar.y. */
#include "frontend/onnx/onnx_text.h"
#include "frontend/onnx/onnx_text_build.h"
#include "frontend/onnx/onnx_text_expected.h"
#include <string.h>
#define YYNOERRORRECOVERY 1
#define sg_onnx_text_lr_ENGINEALWAYSONSTACK 1
}

%type word        {sg_onnx_text_token}
%type qid         {sg_onnx_text_token}
%type plain       {sg_onnx_text_token}
%type dim         {sg_onnx_text_token}
%type literal     {sg_onnx_text_token}
%type metahead    {sg_onnx_text_meta *}
%type meta        {sg_onnx_text_meta *}
%type entry       {sg_onnx_text_entry}
%type pairs       {sg_onnx_text_pairs *}
%type dims        {sg_onnx_text_type *}
%type tensortype  {sg_onnx_text_type *}
%type type        {sg_onnx_text_type *}
%type vi          {sg_onnx_text_vi *}
%type start       {sg_onnx_text_default *}
%type braced      {sg_graph_tensor *}
%type named       {sg_graph_tensor *}
%type constant    {sg_onnx_text_default *}
%type tensor      {sg_graph_tensor *}
%type data        {sg_onnx_text_token}
%type vilist      {sg_onnx_text_infos *}
%type names       {sg_onnx_text_infos *}
%type inlist      {sg_onnx_text_infos *}
%type loclist     {sg_onnx_text_infos *}
%type inputs      {sg_onnx_text_infos *}
%type locals      {sg_onnx_text_infos *}
%type valueinfo   {sg_onnx_text_infos *}
%type signature   {sg_onnx_text_signature}
%type heads       {sg_onnx_text_ids *}
%type ids         {sg_onnx_text_ids *}
%type op          {sg_onnx_text_operator *}
%type call        {sg_graph_node *}
%type target      {sg_graph_node *}
%type node        {sg_graph_node *}
%type anode       {sg_graph_node *}
%type nodelist    {sg_graph *}
%type head        {sg_onnx_text_attribute *}
%type alist       {sg_onnx_text_attribute *}
%type attr        {sg_onnx_text_attribute *}
%type fattr       {sg_onnx_text_attribute *}
%type attrlist    {sg_onnx_text_attributes *}
%type fattrlist   {sg_onnx_text_attributes *}
%type single      {sg_onnx_text_single}
%type body        {sg_graph *}
%type fname       {sg_graph_function *}
%type fhead       {sg_graph_function *}
%type function    {sg_graph_function *}

%parse_accept { cx->accepted = true; }
%syntax_error { cx->failed = true; (void)TOKEN; (void)yymajor; }
%stack_overflow { cx->overflow = true; }

%start_symbol text
text ::= model.
text ::= model functions.

functions ::= function(F).                    { sg_onnx_text_function_add(cx, F); }
functions ::= functions function(F).          { sg_onnx_text_function_add(cx, F); }

model ::= graph.
model ::= modelmeta graph.
modelmeta ::= meta(M).                        { sg_onnx_text_model_meta(cx, M); }
graph ::= qid(N) body(B).
                { sg_onnx_text_graph_name(cx, B, &N); cx->model->graph = *B; }

/* No word is reserved. But where a type may begin, a word that can begin a type does. */
plain(W) ::= NAME(T).                         { W = T; }
plain(W) ::= FLOATWORD(T).                    { W = T; }
plain(W) ::= STRING(T).                       { W = T; }
word(W) ::= NAME(T).                          { W = T; }
word(W) ::= FLOATWORD(T).                     { W = T; }
word(W) ::= PRIM(T).                          { W = T; }
word(W) ::= SEQ(T).                           { W = T; }
word(W) ::= MAP(T).                           { W = T; }
word(W) ::= OPTIONAL(T).                      { W = T; }
word(W) ::= SPARSE(T).                        { W = T; }
word(W) ::= OPAQUE(T).                        { W = T; }
qid(W) ::= word(T).                           { W = T; }
qid(W) ::= STRING(T).                         { W = T; }

/* <ir_version: 10, opset_import: ["" : 18]> */
meta(M) ::= metahead(L) GT(G).
                { M = L; M->span = sg_onnx_text_join(M->span, G.span); }
metahead(M) ::= LT(F) entry(E).               { M = sg_onnx_text_meta_add(cx, NULL, &E);
                                                M->span = F.span; }
metahead(M) ::= metahead(L) COMMA entry(E).   { M = sg_onnx_text_meta_add(cx, L, &E); }
entry(E) ::= word(K) COLON pairvalue(V).      { E = (sg_onnx_text_entry){K, V, NULL, V.span}; }
entry(E) ::= word(K) COLON LBRACKET(L) RBRACKET(R).
                { E = (sg_onnx_text_entry){K, L, NULL, sg_onnx_text_join(L.span, R.span)}; }
entry(E) ::= word(K) COLON LBRACKET(L) pairs(P) RBRACKET(R).
                { E = (sg_onnx_text_entry){K, L, P, sg_onnx_text_join(L.span, R.span)}; }
pairs(P) ::= STRING(K) COLON pairvalue(V).    { P = sg_onnx_text_pairs_add(cx, NULL, &K, &V); }
pairs(P) ::= pairs(L) COMMA STRING(K) COLON pairvalue(V).
                { P = sg_onnx_text_pairs_add(cx, L, &K, &V); }
%type pairvalue {sg_onnx_text_token}
pairvalue(V) ::= INT(T).                      { V = T; }
pairvalue(V) ::= FLOAT(T).                    { V = T; }
pairvalue(V) ::= STRING(T).                   { V = T; }

/* float: rank 0; float[]: unknown rank; float[N, 2, ?] */
tensortype(T) ::= PRIM(P).                    { T = sg_onnx_text_tensor_type(
                                                    cx, &P, sg_onnx_text_dims_add(cx, NULL, NULL),
                                                    &P); }
tensortype(T) ::= PRIM(P) LBRACKET RBRACKET(R).
                { T = sg_onnx_text_tensor_type(cx, &P, NULL, &R); }
tensortype(T) ::= PRIM(P) LBRACKET dims(D) RBRACKET(R).
                { T = sg_onnx_text_tensor_type(cx, &P, D, &R); }
dims(D) ::= dim(T).                           { D = sg_onnx_text_dims_add(cx, NULL, &T); }
dims(D) ::= dims(L) COMMA dim(T).             { D = sg_onnx_text_dims_add(cx, L, &T); }
dim(D) ::= QMARK(T).                          { D = T; }
dim(D) ::= INT(T).                            { D = T; }
dim(D) ::= qid(T).                            { D = T; }

type(T) ::= tensortype(U).                    { T = U; }
type(T) ::= SEQ(F) LPAREN type RPAREN(R).     { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= OPTIONAL(F) LPAREN type RPAREN(R).
                { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= MAP(F) LPAREN PRIM COMMA type RPAREN(R).
                { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= SPARSE(F) LPAREN tensortype RPAREN(R).
                { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= OPAQUE(F) LPAREN RPAREN(R).       { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= OPAQUE(F) LPAREN dotted RPAREN(R).
                { T = sg_onnx_text_other_type(cx, &F, &R); }
type(T) ::= OPAQUE(F) LPAREN dotted COMMA word RPAREN(R).
                { T = sg_onnx_text_other_type(cx, &F, &R); }
dotted ::= word.
dotted ::= dotted DOT word.

vi(V) ::= plain(N).                           { V = sg_onnx_text_vi_new(cx, NULL, &N); }
vi(V) ::= type(T) qid(N).                     { V = sg_onnx_text_vi_new(cx, T, &N); }

/* x = {1, 2}   x = ["location" : "weights.bin"]   x =   (without data) */
start(C) ::= vi(V) EQ(E).                     { C = sg_onnx_text_default_new(cx, V, &E); }
constant(C) ::= start(S).                     { C = S; }
constant(C) ::= start(S) data(D).
                { C = S; sg_onnx_text_tensor_extend(C->tensor, D.span); }
data(D) ::= LBRACE RBRACE(R).                 { D = R; sg_onnx_text_literals_end(cx, &R); }
data(D) ::= LBRACE literals RBRACE(R).        { D = R; sg_onnx_text_literals_end(cx, &R); }
data(D) ::= LBRACKET external RBRACKET(R).    { D = R; sg_onnx_text_external_end(cx, &R); }
external ::= STRING(K) COLON STRING(V).       { sg_onnx_text_external(cx, &K, &V); }
external ::= external COMMA STRING(K) COLON STRING(V).
                { sg_onnx_text_external(cx, &K, &V); }
literals ::= literal(L).                      { sg_onnx_text_literal(cx, &L); }
literals ::= literals COMMA literal(L).       { sg_onnx_text_literal(cx, &L); }
literal(L) ::= INT(T).                        { L = T; }
literal(L) ::= FLOAT(T).                      { L = T; }
literal(L) ::= FLOATWORD(T).                  { L = T; }
literal(L) ::= STRING(T).                     { L = T; }

vilist(L) ::= vi(V).                          { L = sg_onnx_text_infos_add(cx, NULL, V, NULL); }
vilist(L) ::= vilist(M) COMMA vi(V).          { L = sg_onnx_text_infos_add(cx, M, V, NULL); }
names(L) ::= LPAREN RPAREN.                   { L = sg_onnx_text_infos_add(cx, NULL, NULL, NULL); }
names(L) ::= LPAREN vilist(M) RPAREN.         { L = M; }

/* A constant among the inputs is a default, and the input remains; among locals it is only a
 * constant. */
inlist(L) ::= vi(V).                          { L = sg_onnx_text_infos_add(cx, NULL, V, NULL); }
inlist(L) ::= constant(C).                    { L = sg_onnx_text_infos_add(cx, NULL, C->vi, C); }
inlist(L) ::= inlist(M) COMMA vi(V).          { L = sg_onnx_text_infos_add(cx, M, V, NULL); }
inlist(L) ::= inlist(M) COMMA constant(C).    { L = sg_onnx_text_infos_add(cx, M, C->vi, C); }
inputs(L) ::= LPAREN RPAREN.                  { L = NULL; }
inputs(L) ::= LPAREN inlist(M) RPAREN.        { L = M; }
loclist(L) ::= vi(V).                         { L = sg_onnx_text_infos_add(cx, NULL, V, NULL); }
loclist(L) ::= constant(C).                   { L = sg_onnx_text_infos_add(cx, NULL, NULL, C); }
loclist(L) ::= loclist(M) COMMA vi(V).        { L = sg_onnx_text_infos_add(cx, M, V, NULL); }
loclist(L) ::= loclist(M) COMMA constant(C).  { L = sg_onnx_text_infos_add(cx, M, NULL, C); }
locals(L) ::= LT GT.                          { L = NULL; }
locals(L) ::= LT loclist(M) GT.               { L = M; }

/* (inputs) => (outputs) <locals> { nodes }; the inputs may be omitted with their parentheses */
body(B) ::= signature(S) LBRACE RBRACE(R).    { B = sg_onnx_text_graph_new(cx, &S, NULL, &R); }
body(B) ::= signature(S) LBRACE nodelist(N) RBRACE(R).
                { B = sg_onnx_text_graph_new(cx, &S, N, &R); }
signature(S) ::= ARROW names(O).              { S.inputs = NULL; S.outputs = O; S.locals = NULL; }
signature(S) ::= ARROW names(O) locals(L).    { S.inputs = NULL; S.outputs = O; S.locals = L; }
signature(S) ::= inputs(I) ARROW names(O).    { S.inputs = I; S.outputs = O; S.locals = NULL; }
signature(S) ::= inputs(I) ARROW names(O) locals(L).
                { S.inputs = I; S.outputs = O; S.locals = L; }

nodelist(L) ::= anode(N).                     { L = sg_onnx_text_nodes_add(cx, NULL, N); }
nodelist(L) ::= nodelist(M) anode(N).         { L = sg_onnx_text_nodes_add(cx, M, N); }

/* [label] a, b = domain.Op:overload <axis = 1> (x, y); attributes may also follow the inputs */
anode(N) ::= node(M).                         { N = M; }
anode(N) ::= LBRACKET(L) RBRACKET node(M).    { N = M; sg_onnx_text_node_label(cx, N, &L, NULL); }
anode(N) ::= LBRACKET(L) qid(Q) RBRACKET node(M).
                { N = M; sg_onnx_text_node_label(cx, N, &L, &Q); }
node(N) ::= call(M).                          { N = M; }
node(N) ::= call(M) LT attrlist(A) GT(G).
                { N = M; sg_onnx_text_node_attributes(cx, N, A, &G); }
node(N) ::= target(M) LT attrlist(A) GT(G) LPAREN RPAREN(R).
                { N = M; sg_onnx_text_node_attributes(cx, N, A, &G);
                  sg_onnx_text_node_inputs(N, NULL, &R); }
node(N) ::= target(M) LT attrlist(A) GT(G) LPAREN ids(I) RPAREN(R).
                { N = M; sg_onnx_text_node_attributes(cx, N, A, &G);
                  sg_onnx_text_node_inputs(N, I, &R); }
call(N) ::= target(M) LPAREN RPAREN(R).       { N = M; sg_onnx_text_node_inputs(N, NULL, &R); }
call(N) ::= target(M) LPAREN ids(I) RPAREN(R).
                { N = M; sg_onnx_text_node_inputs(N, I, &R); }

/* Outputs and operator may be missing. The parser accepts that. */
target(N) ::= EQ(E).                          { N = sg_onnx_text_node_new(cx, NULL, NULL, &E); }
target(N) ::= EQ(E) op(O).                    { N = sg_onnx_text_node_new(cx, NULL, O, &E); }
target(N) ::= ids(I) EQ(E).                   { N = sg_onnx_text_node_new(cx, I, NULL, &E); }
target(N) ::= ids(I) EQ(E) op(O).             { N = sg_onnx_text_node_new(cx, I, O, &E); }
op(O) ::= opname(N).                          { O = N; }
op(O) ::= COLON word(V).
                { O = sg_onnx_text_operator_new(cx, NULL);
                  sg_onnx_text_operator_overload(cx, O, &V); }
op(O) ::= opname(N) COLON word(V).            { O = N; sg_onnx_text_operator_overload(cx, O, &V); }
%type opname {sg_onnx_text_operator *}
opname(O) ::= word(N).                        { O = sg_onnx_text_operator_new(cx, &N); }
opname(O) ::= DOT word(N).                    { O = sg_onnx_text_operator_new(cx, &N); }
opname(O) ::= opname(P) DOT word(N).          { O = P; sg_onnx_text_operator_dot(cx, O, &N); }

/* Each comma ends a name, which may be empty; the last name needs no comma: (,) is one empty name,
 * (x,) is x, (x,,) is x and an empty name. */
ids(L) ::= qid(N).                            { L = sg_onnx_text_ids_add(cx, NULL, &N, NULL); }
ids(L) ::= heads(M).                          { L = M; }
ids(L) ::= heads(M) qid(N).                   { L = sg_onnx_text_ids_add(cx, M, &N, NULL); }
heads(L) ::= COMMA(C).                        { L = sg_onnx_text_ids_add(cx, NULL, NULL, &C); }
heads(L) ::= qid(N) COMMA.                    { L = sg_onnx_text_ids_add(cx, NULL, &N, NULL); }
heads(L) ::= heads(M) COMMA(C).               { L = sg_onnx_text_ids_add(cx, M, NULL, &C); }
heads(L) ::= heads(M) qid(N) COMMA.           { L = sg_onnx_text_ids_add(cx, M, &N, NULL); }

/* axis = 1   axes : ints = []   Only functions may have the name in quotes. */
attrlist(L) ::= attr(A).                      { L = sg_onnx_text_attributes_add(cx, NULL, A); }
attrlist(L) ::= attrlist(M) COMMA attr(A).    { L = sg_onnx_text_attributes_add(cx, M, A); }
attr(A) ::= head(H) single(S).                { A = H; sg_onnx_text_attribute_set(cx, A, &S); }
attr(A) ::= head(H) LBRACKET(L) RBRACKET(R).
                { A = H;
                  sg_onnx_text_attribute_empty(cx, A, sg_onnx_text_join(L.span, R.span)); }
attr(A) ::= alist(L) RBRACKET(R).             { A = L; sg_onnx_text_attribute_end(A, &R); }
alist(A) ::= head(H) LBRACKET single(S).      { A = H; sg_onnx_text_attribute_add(cx, A, &S); }
alist(A) ::= alist(L) COMMA single(S).        { A = L; sg_onnx_text_attribute_add(cx, A, &S); }
head(A) ::= qid(N) EQ.                        { A = sg_onnx_text_attribute_new(cx, &N); }
head(A) ::= qid(N) COLON word(T) EQ.
                { A = sg_onnx_text_attribute_new(cx, &N);
                  sg_onnx_text_attribute_declare(cx, A, &T); }

single(S) ::= INT(T).
                { S = (sg_onnx_text_single){SG_GRAPH_TYPE_INT, T, NULL, NULL, T.span}; }
single(S) ::= FLOAT(T).
                { S = (sg_onnx_text_single){SG_GRAPH_TYPE_FLOAT, T, NULL, NULL, T.span}; }
single(S) ::= FLOATWORD(T).
                { S = (sg_onnx_text_single){SG_GRAPH_TYPE_FLOAT, T, NULL, NULL, T.span}; }
single(S) ::= STRING(T).
                { S = (sg_onnx_text_single){SG_GRAPH_TYPE_STRING, T, NULL, NULL, T.span}; }
single(S) ::= AT(A) qid(T).
                { S = (sg_onnx_text_single){.token = T,
                                            .span = sg_onnx_text_join(A.span, T.span)}; }
single(S) ::= type(T).
                { S = (sg_onnx_text_single){.type = SG_GRAPH_TYPE_TYPE_PROTO, .span = T->span}; }
single(S) ::= tensor(T).
                { S = (sg_onnx_text_single){.type = SG_GRAPH_TYPE_TENSOR, .tensor = T,
                                            .span = T->span}; }
single(S) ::= NAME(N) body(B).
                { S = (sg_onnx_text_single){.type = SG_GRAPH_TYPE_GRAPH, .graph = B};
                  sg_onnx_text_graph_inner_name(cx, B, &N);
                  S.span = B->span; }

/* int64[2] {1, 2}   int64[2] name = {1, 2}   A type followed by neither '{' nor '=' nor a name is a
 * value itself. */
tensor(T) ::= braced(U) RBRACE(R).            { T = U; sg_onnx_text_literals_end(cx, &R);
                                                sg_onnx_text_tensor_extend(T, R.span); }
tensor(T) ::= braced(U) literals RBRACE(R).   { T = U; sg_onnx_text_literals_end(cx, &R);
                                                sg_onnx_text_tensor_extend(T, R.span); }
tensor(T) ::= named(U).                       { T = U; }
tensor(T) ::= named(U) data(D).               { T = U; sg_onnx_text_tensor_extend(T, D.span); }
braced(T) ::= type(U) LBRACE.                 { T = sg_onnx_text_tensor_begin(cx, U, NULL, U->span); }
named(T) ::= type(U) EQ.                      { T = sg_onnx_text_tensor_begin(cx, U, NULL, U->span); }
named(T) ::= type(U) word(N).                 { T = sg_onnx_text_tensor_begin(cx, U, &N, U->span); }
named(T) ::= type(U) word(N) EQ.              { T = sg_onnx_text_tensor_begin(cx, U, &N, U->span); }

/* <domain: "local", opset_import: ["" : 18]> f <alpha, beta = 1.0> (x) => (y) <float h> { ... } */
function(F) ::= fhead(H) names(I) ARROW names(O) LBRACE RBRACE(R).
                { F = H; sg_onnx_text_signature s = {I, O, NULL};
                  sg_onnx_text_function_body(cx, F, &s, NULL, &R); }
function(F) ::= fhead(H) names(I) ARROW names(O) LBRACE nodelist(N) RBRACE(R).
                { F = H; sg_onnx_text_signature s = {I, O, NULL};
                  sg_onnx_text_function_body(cx, F, &s, N, &R); }
function(F) ::= fhead(H) names(I) ARROW names(O) valueinfo(V) LBRACE RBRACE(R).
                { F = H; sg_onnx_text_signature s = {I, O, V};
                  sg_onnx_text_function_body(cx, F, &s, NULL, &R); }
function(F) ::= fhead(H) names(I) ARROW names(O) valueinfo(V) LBRACE nodelist(N) RBRACE(R).
                { F = H; sg_onnx_text_signature s = {I, O, V};
                  sg_onnx_text_function_body(cx, F, &s, N, &R); }
fhead(F) ::= fname(N).                        { F = N; }
fhead(F) ::= fname(N) LT fattrlist(A) GT.     { F = N; sg_onnx_text_function_attributes(F, A); }
fname(F) ::= qid(N).                          { F = sg_onnx_text_function_new(cx, NULL, &N); }
fname(F) ::= meta(M) qid(N).                  { F = sg_onnx_text_function_new(cx, M, &N); }
valueinfo(L) ::= LT GT.                       { L = NULL; }
valueinfo(L) ::= LT vilist(M) GT.             { L = M; }
fattrlist(L) ::= fattr(A).                    { L = sg_onnx_text_attributes_add(cx, NULL, A); }
fattrlist(L) ::= fattrlist(M) COMMA fattr(A). { L = sg_onnx_text_attributes_add(cx, M, A); }
fattr(A) ::= attr(B).                         { A = B; }
fattr(A) ::= qid(N).
                { A = sg_onnx_text_attribute_new(cx, &N); A->no_value = true; }

%code {
#include "frontend/notation/expected.inc"

#define X(id, text) _Static_assert((int)SG_ONNX_TEXT_##id == TK_##id, "order of " #id);
#include "frontend/onnx/onnx_text_tokens.inc"
#undef X
_Static_assert((int)SG_ONNX_TEXT_OTHER == TK_OTHER, "order of OTHER");

typedef struct reader {
    yyParser parser;
    lr_stack stack;
    int depth; /* how many brackets are open */
    sg_onnx_text_kind previous;
} reader;

static bool unexpected(sg_onnx_text_context *cx, const reader *r, const sg_onnx_text_token *token)
{
    sg_onnx_text_expected expected = {.previous = r->previous};
    for (int kind = 0; kind < SG_ONNX_TEXT_KINDS; kind++) {
        expected.kinds[kind] = lr_accepts(&r->stack, (YYCODETYPE)kind);
    }
    lr_stack typed = r->stack;
    expected.type_then_name = lr_feed(&typed, TK_PRIM) && lr_accepts(&typed, TK_NAME);
    return sg_onnx_text_unexpected(cx, token, &expected);
}

/* Limits the nesting of brackets, and with it the size of the stack. */
static bool count_brackets(sg_onnx_text_context *cx, reader *r, const sg_onnx_text_token *token)
{
    switch (token->kind) {
    case SG_ONNX_TEXT_LPAREN:
    case SG_ONNX_TEXT_LBRACKET:
    case SG_ONNX_TEXT_LBRACE:
    case SG_ONNX_TEXT_LT:
        r->depth++;
        break;
    case SG_ONNX_TEXT_RPAREN:
    case SG_ONNX_TEXT_RBRACKET:
    case SG_ONNX_TEXT_RBRACE:
    case SG_ONNX_TEXT_GT:
        r->depth--;
        break;
    default:
        break;
    }
    if (r->depth <= SG_ONNX_TEXT_DEPTH) {
        return true;
    }
    return sg_diag_error(cx->diag, token->span,
                         "brackets are nested %d deep, expected at most %d; move inner graphs into "
                         "functions of the model",
                         r->depth, SG_ONNX_TEXT_DEPTH);
}

static bool feed(sg_onnx_text_context *cx, reader *r, const sg_onnx_text_token *token)
{
    lr_save(&r->stack, &r->parser);
    /* In `<float x =>` the constant has no data, and '=>' is two tokens: '=' and '>'. */
    if (token->kind == SG_ONNX_TEXT_ARROW && !lr_accepts(&r->stack, TK_ARROW) &&
        lr_accepts(&r->stack, TK_EQ)) {
        size_t begin = token->span.begin;
        sg_onnx_text_token eq = {SG_ONNX_TEXT_EQ, token->dtype,
                                 sg_span_make(cx->source, begin, begin + 1)};
        sg_onnx_text_token gt = {SG_ONNX_TEXT_GT, token->dtype,
                                 sg_span_make(cx->source, begin + 1, begin + 2)};
        return feed(cx, r, &eq) && feed(cx, r, &gt);
    }
    SG_TRY(count_brackets(cx, r, token));
    sg_onnx_text_lr(&r->parser, (int)token->kind, *token);
    if (cx->bad) {
        return false;
    }
    if (cx->failed) {
        return unexpected(cx, r, token);
    }
    if (cx->overflow) {
        return sg_diag_fail(cx->diag, SG_EXIT_BUG, token->span, "the parser of ONNX text has no "
                                                                "stack left");
    }
    r->previous = token->kind;
    return true;
}

bool sg_onnx_text_run(sg_onnx_text_context *cx)
{
    reader r = {.depth = 0, .previous = SG_ONNX_TEXT_END};
    sg_onnx_text_token token;
    sg_onnx_text_lrInit(&r.parser, cx);
    do {
        SG_TRY(sg_onnx_text_lex(&cx->lexer, &token));
        SG_TRY(sg_graph_has_room(cx->arena, cx->diag, token.span));
        SG_TRY(feed(cx, &r, &token));
    } while (token.kind != SG_ONNX_TEXT_END);
    if (!cx->accepted) {
        return sg_diag_fail(cx->diag, SG_EXIT_BUG, token.span, "the parser of ONNX text gave up");
    }
    sg_onnx_text_lrFinalize(&r.parser);
    return true;
}
}
