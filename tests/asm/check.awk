# Compares machine code with its plan. Arguments, in this order: the output of splitgen --dump=program (*.dump), the
# generated file (*.c), objdump -t (*.sym) and objdump -d --no-show-raw-insn (*.dis) of its object. -v family=x86 or
# neon. Prints a line for every function version and one for every error; exits with 1 if there is an error.
#
# Requirements for the loop of vector code: as many stores as planned; no more shuffles, two-source shuffles or vector
# instructions in all; no loads beyond those that x86 folds into instructions; no vector on the stack; no call that is
# not in the C text; no string instruction; and on x86 no return with the upper halves of registers in use. The numbers
# come only from the dump.
#
# An unknown instruction of the plan is an error: add below what it may be translated to.

function complain(text)
{
    print "WRONG " where ": " text
    wrong = 1
}

function body_of(isa_id)
{
    sub(/VBMI$|LANE$|BYTE$/, "", isa_id)
    return tolower(isa_id)
}

# The word after `name` in a line of the dump, or "".
function field(name, i)
{
    for (i = 1; i < NF && $i != name; ++i) {
    }
    return i < NF ? $(i + 1) : ""
}

function begin_body(symbol)
{
    body = symbol
    if (family == "neon" ? id == "NEON" : id ~ /^AVX/) {
        bodies[++nbodies] = body
        is_of[body] = id
        op_of[body] = op
    }
}

# The plan

FILENAME ~ /\.dump$/ && $1 == "program" { op = $2; ops[++nops] = op; body = ""; next }
FILENAME ~ /\.dump$/ && $1 == "body" {
    id = $3
    unit = id == "AVX2LANE" ? 32 : id ~ /^AVX512/ ? 64 : 16 # bytes of a tile's vector
    nslices = 0
    begin_body(op "_" body_of(id))
    feeds[body] = field("write_combining")
    next
}
FILENAME ~ /\.dump$/ && $1 == "function" { body = "" } # the functions around loop bodies follow after all of them
FILENAME ~ /\.dump$/ && body == "" { next }
FILENAME ~ /\.dump$/ && $1 == "slice" { ++nslices }
FILENAME ~ /\.dump$/ && $1 == "code" && nslices > 1 { # a function for each one, instead of one for all
    if ($2 == 0 && body == bodies[nbodies]) {
        --nbodies
    }
    begin_body(op "_" body_of(id) "_group" $2)
}
FILENAME ~ /\.dump$/ && $1 == "constant" && $3 == "mask" { masks[body]++ }
FILENAME ~ /\.dump$/ && $1 == "constant" && $3 == "index" { indices[body]++ }
FILENAME ~ /\.dump$/ && $1 == "insn" {
    what = $3
    if ($NF == "combines") {
        to = field("to")
        sub(/\+.*/, "", to)
        fed_outputs[body] += !((body, to) in is_fed)
        is_fed[body, to] = 1
    }
    if (what ~ /^(vectors|copy|call|move)$/) {
        runs[body]++
        fed_runs[body] += $NF == "combines"
    } else if (what == "load" && field("step") != "") { # put together from pieces
        planned[body, "load"] += unit / field("bytes")
        planned[body, "merge"] += unit / field("bytes") - 1
    } else if (what == "interleaved") {
        planned[body, "load"]++
    } else if (what ~ /^(load|store|permute|permute2|blend|prefetch)$/) {
        planned[body, what]++
        fed_stores[body] += $NF == "combines"
    } else {
        where = body
        complain("the plan's instruction '" what "' is not known to tests/asm/check.awk")
    }
}
FILENAME ~ /\.dump$/ { next }

# The C text: the calls of each function version

# A tile, and the functions that pass it to a loop: for long runs all streams together.
FILENAME ~ /\.c$/ && /^SPLITGEN_TILE void / { tile = $3; sub(/_tile\(.*/, "", tile); next }
FILENAME ~ /\.c$/ && tile != "" && /^}/ { tile = "" }
FILENAME ~ /\.c$/ && tile != "" {
    pieces[tile] += /^ *splitgen_pieces_/
    combined[tile] += /^ *splitgen_combined_/
    calls_in_text[tile] += /^ *splitgen_copy\(/
    next
}
FILENAME ~ /\.c$/ && /^static (SPLITGEN_LOOP )?void [a-z0-9_]+\(/ { text = $0; sub(/\(.*/, "", text); sub(/.* /, "", text); next }
FILENAME ~ /\.c$/ && text != "" && /^    splitgen_runs_(combined_)?streamed\(/ {
    tile_of = text
    sub(/(_combined)?_non_temporal$/, "", tile_of)
    calls_in_text[text] = /combined/ ? combined[tile_of] : pieces[tile_of] + combined[tile_of]
    next
}
FILENAME ~ /\.c$/ && /^}/ { text = "" }
FILENAME ~ /\.c$/ {
    calls_in_text[text] += text != "" && /^ +splitgen_copy\(/
    next
}

# The object

FILENAME ~ /\.sym$/ {
    if ($0 ~ / F \.text\t/) {
        sub(/\.(isra|constprop|part)\.[0-9]+$/, "", $NF) # gcc's copy of a function
        start_of[$NF] = $1
        size_of[$1] = $(NF - 1)
    }
    next
}
/^Disassembly of section / { elsewhere = $NF != ".text:"; next } # addresses restart in each
elsewhere { next }
/^[0-9a-f]+ <.*>:$/ { address = $1; offset_of[address] = ninsns + 1; next }
/^ +[0-9a-f]+:\t/ {
    split($0, column, "\t")
    sub(/:/, "", column[1])
    sub(/^ +/, "", column[1])
    ++ninsns
    at[ninsns] = column[1]
    place[column[1]] = ninsns
    name = column[2]
    sub(/ +$/, "", name)
    arguments[ninsns] = column[3]
    if (split(name, word, / +/) > 1) { # x86: all in one column
        while (word[1] ~ /^(rep|repz|repnz|bnd|notrack|cs|ds|data16|lock)$/ && name ~ / /) {
            if (word[1] ~ /^rep/) {
                string_insn[ninsns] = 1
            }
            sub(/^[^ ]+ +/, "", name)
            word[1] = name
            sub(/ .*/, "", word[1])
        }
        arguments[ninsns] = name
        sub(/^[^ ]+ */, "", arguments[ninsns])
        name = word[1]
    }
    sub(/ +[#<].*/, "", arguments[ninsns])
    sub(/ *\/\/.*/, "", arguments[ninsns])
    insn[ninsns] = name
    function_of[ninsns] = address
}

function hex(text, i, value)
{
    value = 0
    for (i = 1; i <= length(text); ++i) {
        value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
    }
    return value
}

# Finds the instructions of a function: sets first and last.
function find_function(symbol, end)
{
    first = last = 0
    if (!(symbol in start_of)) {
        return 0
    }
    first = offset_of[start_of[symbol]]
    end = hex(start_of[symbol]) + hex(size_of[start_of[symbol]])
    for (last = first; last < ninsns && hex(at[last + 1]) < end; ++last) {
    }
    return 1
}

function is_branch(i)
{
    if (family == "x86") {
        return insn[i] ~ /^j/
    }
    return insn[i] ~ /^(b|b\.[a-z]+|cbn?z|tbn?z)$/
}

function is_call(i)
{
    return insn[i] ~ /^(call|callq|bl|blr)$/
}

# The instruction that a branch jumps to; 0 if it leaves the function.
function target(i, to)
{
    to = arguments[i]
    sub(/.*[, ]/, "", to)
    return to in place && place[to] >= first && place[to] <= last ? place[to] : 0
}

# Whether a branch goes back to the function's return, which compilers may place before the loop.
function leaves(from, to, i, reach)
{
    reach = 0
    for (i = to; i < from && insn[i] !~ /^ret/; ++i) {
        if (is_branch(i) && target(i) > i) {
            reach = target(i) > reach ? target(i) : reach
        }
    }
    return i < from && reach <= i
}

# Finds the outermost loops, or the innermost ones: loop_first[], loop_last[], in order; returns their number.
function find_loops(innermost, i, to, n)
{
    n = 0
    for (i = first; i <= last; ++i) {
        to = is_branch(i) ? target(i) : 0
        if (to == 0 || to > i || (innermost && n > 0 && to < loop_first[n]) || leaves(i, to)) {
            continue
        }
        while (n > 0 && to <= loop_last[n]) { # merge it with the loops it overlaps
            to = loop_first[n] < to ? loop_first[n] : to
            --n
        }
        ++n
        loop_first[n] = to
        loop_last[n] = i
    }
    return n
}

# Counts instructions by kind, in seen[].

function x86_kind(i, m, o, stack)
{
    m = insn[i]
    o = arguments[i]
    if (o !~ /%[xyz]mm/) {
        return
    }
    stack = o ~ /\(%rsp/ || (has_frame && o ~ /\(%rbp/)
    if (o ~ /\)(\{%k[1-7]\})?$/) {
        seen[stack ? "overrun" : m ~ /^vmovnt/ ? "stream" : "store"]++
        return
    }
    if (o ~ /\(%rip/ || stack) {
        seen["constant"]++
    } else if (o ~ /\(/) {
        seen["load"]++
    }
    if (m ~ /^vperm[ti]2|^vshuf[pif]|^vunpck|^vpunpck|^vpalignr|^valign|^vperm2[if]128|^vpack/ ||
        (m ~ /^v(insert|extract)/ && o !~ /\(/)) {
        seen["two"]++
    } else if (m ~ /^vperm|^vpshuf|^vmov(sl|sh|d)dup|^vp?broadcast|^vpmov|^vpcompress|^vpexpand/) {
        seen["one"]++
    } else if (m ~ /^vp?blend/ || o ~ /\{%k[1-7]\}/) {
        seen["blend"]++
    } else if (m !~ /^v(l?d?mov|insert|extract)/ && m != "vzeroupper") {
        seen["other"]++
    }
}

function neon_kind(i, m, o, n)
{
    m = insn[i]
    o = arguments[i]
    if (is_branch(i) || is_call(i) || o !~ /(^|[^a-z0-9])[dqv][0-9]/) {
        return
    }
    n = m ~ /p$/ ? 2 : 1
    if (m ~ /^ld[234]$/) { # fills several registers
        seen["load"]++
    } else if (m ~ /^(ldr|ldp|ldur|ldnp)$/ || m == "ld1") {
        seen[o ~ /\[sp/ ? "constant" : "load"] += m == "ld1" ? gsub(/v[0-9]/, "&", o) : n
    } else if (m ~ /^(str|stp|stur|stnp)$/ || m == "st1") {
        seen[o ~ /\[sp/ ? "overrun" : "store"] += m == "st1" ? gsub(/v[0-9]/, "&", o) : n
    } else if (m ~ /^tb[lx]$/) {
        sub(/.*\{/, "", o)
        sub(/\}.*/, "", o)
        seen[o ~ /[,-]/ ? "two" : "one"]++
    } else if (m ~ /^(zip|uzp|trn)[12]$/ || m == "ext") {
        seen["two"]++
    } else if (m ~ /^(rev16|rev32|rev64|dup|ins)$/ || o ~ /\.[bhsd]\[/) {
        seen["one"]++
    } else if (m ~ /^(bsl|bit|bif)$/) {
        seen["blend"]++
    } else if (m != "mov") {
        seen["other"]++
    }
}

function count(from, to, i)
{
    split("", seen)
    for (i = from; i <= to; ++i) {
        if (family == "x86") {
            x86_kind(i)
        } else {
            neon_kind(i)
        }
        # Rows that do not fill an iteration are left to the loop body. Such calls copy nothing repeatedly, and may be
        # inside something that only looks like a loop.
        if (is_call(i) && hex(arguments[i]) != body_at) {
            seen["call"]++
        }
        if (insn[i] ~ /^prefetch|^prfm/) {
            seen["prefetch"]++
        }
        if (i in string_insn) {
            seen["string"]++
        }
    }
}

function look_for_frame(i)
{
    has_frame = 0
    for (i = first; i <= last; ++i) {
        has_frame = has_frame || (insn[i] == "mov" && arguments[i] == "%rsp,%rbp")
    }
}

# No return with the upper halves of vector registers in use: this slows down SSE code that follows on many processors.
function check_returns(i, to, dirty, then)
{
    for (i = first; i <= last; ++i) {
        dirty = dirty || then[i] # from an earlier branch
        to = is_branch(i) ? target(i) : 0
        if (insn[i] == "vzeroupper") {
            dirty = 0
        } else if (arguments[i] ~ /%[yz]mm/) {
            dirty = 1
        } else if (insn[i] ~ /^ret/ && dirty) {
            complain("returns without vzeroupper")
            return
        } else if (to > i) {
            then[to] = then[to] || dirty
        }
        if (insn[i] ~ /^(ret|jmp)/) {
            dirty = 0
        }
    }
}

function at_most(kind, most, what)
{
    if (seen[kind] > most) {
        complain(seen[kind] + 0 " " what " in the loop, planned " most)
    }
}

# Checks the loop around lanes that move between registers. If it contains runs of bytes with their own instructions,
# stores, loads and prefetches are not counted.
function check_woven(body, stream, feed, is_x86, ways, stores, iterations, saved, pairs, merges, constants,
                     loads, kept, turned)
{
    is_x86 = family == "x86"
    ways = is_of[body] == "AVX2BYTE" ? 2 : 1
    stores = seen[stream ? "stream" : "store"] + 0
    pairs = planned[body, "permute2"]
    iterations = 1
    saved = 0
    if (stream) { # beside interleaved runs, the remaining stores are ordinary ones
        kept = feed ? fed_runs[body] : 0 # combiners, from piece to piece
        at_most("store", kept + (runs[body] > 0 ? planned[body, "store"] : 0),
                "stores into the cache")
    }
    if (runs[body] == 0) {
        iterations = ways == 1 ? int(stores / planned[body, "store"]) : 1 # clang unrolls short loops
        if (iterations == 0 || stores < iterations * planned[body, "store"] ||
            stores > iterations * ways * planned[body, "store"]) {
            complain(stores " stores in the loop, planned " ways * planned[body, "store"])
            at_most("overrun", 0, "vectors put on the stack")
            return
        }
        # Stores of neighbouring tiles may be merged, if necessary by a shuffle.
        saved = iterations * ways * planned[body, "store"] - stores
    }
    # If clang unrolls all iterations of a piece, this is the loop over pieces, which loads combiners from memory,
    # rotates an index for each and stores them.
    turned = feed && stream && iterations > 1 ? fed_outputs[body] : 0
    # On NEON gcc always moves the sources of a two-source shuffle into adjacent registers, for some of them through the
    # stack: it stores both and loads them together.
    # The combiners of runs are in an array on the stack, one for each stream.
    at_most("overrun", is_x86 ? turned + kept : 2 * pairs, "vectors put on the stack")
    # Functions with non-temporal stores prefetch several lines at once, which is not part of the plan.
    if (is_x86 && !stream && runs[body] == 0 &&
        seen["prefetch"] != iterations * planned[body, "prefetch"]) {
        complain(seen["prefetch"] + 0 " prefetches in the loop, planned " \
                 planned[body, "prefetch"] + 0)
    }
    # Combiners load parts of lines, or rotate vectors and merge them.
    if (feed) {
        planned[body, "blend"] += 2 * fed_runs[body] + fed_stores[body]
        planned[body, "permute"] += fed_stores[body]
        indices[body] += fed_outputs[body]
    }
    # Pieces are merged into vectors and, with two ways, merged once more. For non-temporal stores the upper half of a
    # register has to be extracted first.
    merges = iterations * (2 * ways - 1) * planned[body, "merge"] + saved
    if (stream && ways == 2) {
        merges += stores - planned[body, "store"]
    }
    pairs *= iterations
    seen["shuffle"] = seen["one"] + seen["two"]
    seen["vector"] = seen["shuffle"] + seen["blend"] + seen["other"]
    at_most("shuffle", iterations * planned[body, "permute"] + pairs + merges + turned, "shuffles")
    if (is_of[body] !~ /^AVX2/) { # the cost is the same there
        at_most("two", pairs + merges, "two-source shuffles")
    }
    at_most("vector",
            iterations * (planned[body, "permute"] + planned[body, "blend"]) + pairs + merges + 2 * turned,
            "vector instructions")
    # Constants occupy at most a quarter of the registers: AVX-512 and NEON have 32, AVX2 has 16. Masks of AVX-512 have
    # their own registers, and those of AVX2 in 4-byte lanes are immediate. On NEON, loads of constants look like other
    # loads.
    constants = indices[body] + (is_of[body] ~ /BYTE|NEON/ ? masks[body] : 0)
    constants -= is_of[body] ~ /^AVX2/ ? 4 : 8
    constants = iterations * (constants > 0 ? constants : 0)
    if (is_x86) {
        at_most("constant", kept + turned + constants + (runs[body] > 0 ? indices[body] : 0),
                "constants from memory")
        # gcc loads a vector that is blended twice from memory twice, which is free with two loads per cycle.
        loads = 2 * iterations * ways * planned[body, "load"]
    } else {
        seen["load"] += seen["constant"]
        loads = iterations * planned[body, "load"] + 2 * pairs + constants
    }
    if (runs[body] == 0) {
        at_most("load", loads, "loads")
    }
    printf("saw   %s: %d loads, %d shuffles (%d two-source), %d blends, %d stores\n", where,
           seen["load"], seen["shuffle"], seen["two"], seen["blend"],
           seen["store"] + seen["stream"])
}

function fence_between(from, to, i)
{
    for (i = from; i <= to; ++i) {
        if (insn[i] == "sfence") {
            return 1
        }
    }
    return 0
}

# In the function or, for the code of a column group, in another one of the kernel's functions.
function check_fence(body, symbol)
{
    if (body !~ /_group[0-9]+$/) {
        if (fence_between(first, last)) {
            return
        }
    } else {
        for (symbol in start_of) {
            if (index(symbol, op_of[body] "_") == 1 && find_function(symbol) &&
                fence_between(first, last)) {
                return
            }
        }
    }
    complain("no sfence")
}

function check_body(body, stream, feed, symbol, host, loops, best, most, work, i)
{
    if (op_of[body] ~ /^short_/) { # a single row, so there is no loop
        return
    }
    symbol = body (feed ? "_combined" : "") (stream ? "_non_temporal" : "")
    where = compiler " " symbol
    body_at = symbol != body && body in start_of ? hex(start_of[body]) : -1
    if (!find_function(symbol)) {
        if (stream || feed) { # no write combining if all stores are non-temporal
            return
        }
        # inlined: the loop is in the function that receives the rows
        host = op_of[body] "_vector" in start_of ? op_of[body] "_vector" : op_of[body] "_any"
        where = where " in " host
        if (!find_function(host)) {
            complain("there is no such function")
            return
        }
    }
    look_for_frame()
    # Streams are interleaved around the loop over a piece, or by a function for each run.
    loops = find_loops(stream && calls_in_text[symbol] == 0)
    best = 0
    for (i = 1; i <= loops; ++i) { # others copy single rows
        count(loop_first[i], loop_last[i])
        if (stream && calls_in_text[symbol] > 0) {
            work = seen["call"]
        } else if (stream && seen["stream"] == 0 && seen["call"] > 0) {
            continue # the first rows of every part
        } else {
            work = 100 * (seen["one"] + seen["two"] + seen["blend"] + seen["stream"]) + \
                   seen["store"] + seen["call"]
        }
        if (best == 0 || work > most) {
            most = work
            best = i
        }
    }
    if (best == 0) {
        complain("has no loop")
        return
    }
    if (stream && calls_in_text[symbol] == 0) {
        count(first, last)
        if (seen["stream"] == 0) {
            complain("stores nothing past the cache")
        }
    }
    count(loop_first[best], loop_last[best])
    at_most("string", 0, "string instructions")
    # a compiler that unrolls a loop over rows makes several
    if (calls_in_text[symbol] == 0 ? seen["call"] > 0 : seen["call"] == 0 || seen["call"] % calls_in_text[symbol] != 0) {
        complain(seen["call"] + 0 " calls in the loop, " calls_in_text[symbol] + 0 " in the text")
    }
    if (calls_in_text[symbol] == 0) {
        if (seen["load"] == 0 || seen["store"] + seen["stream"] == 0) {
            complain("copies no vectors")
        }
        check_woven(body, stream, feed)
        combining += feed
    } else {
        printf("saw   %s: %d calls\n", where, seen["call"])
    }
    if (family == "x86") {
        check_returns()
    }
    if (stream) {
        check_fence(body)
        ++streams[is_of[body]]
    }
}

# The entry of a call takes longer than a short function: it must not save registers on the stack. Only the arrays of
# tensors are there (clang makes room for one by pushing a register that need not be saved).
function check_entry(symbol, i)
{
    where = compiler " " symbol
    if (!find_function(symbol)) {
        complain("there is no such function")
        return
    }
    for (i = first; i <= last; ++i) {
        if (insn[i] ~ /^push/ && arguments[i] ~ /%r(bx|bp|1[2-5])/) {
            complain("puts registers on the stack")
            return
        }
    }
}

function check_straight(op, i)
{
    where = compiler " " op
    if (!find_function(op)) {
        complain("there is no such function")
        return
    }
    for (i = first; i <= last; ++i) {
        if (is_call(i) || is_branch(i) || (i in string_insn)) {
            complain("not straight-line: " insn[i] " " arguments[i])
            return
        }
        # splitgen_put_byte() explains why
        if (family == "x86" && insn[i] == "mov" && arguments[i] ~ /\),%([abcd]l|[sd]il|r[0-9]+b)$/) {
            complain("loads a byte into a part of a register")
            return
        }
    }
    printf("saw   %s: %d instructions\n", where, last - first + 1)
}

END {
    for (b = 1; b <= nbodies; ++b) {
        if (feeds[bodies[b]] != "always") {
            check_body(bodies[b], 0, 0)
        }
        if (family == "x86") {
            check_body(bodies[b], 1, 0)
        }
    }
    for (b = 1; b <= nbodies; ++b) {
        if (feeds[bodies[b]] != "") {
            check_body(bodies[b], 0, 1)
            check_body(bodies[b], 1, 1)
        }
    }
    for (o = 1; o <= nops; ++o) {
        if (ops[o] ~ /^tiny_/) {
            check_straight(ops[o])
            ++straight
        } else if (ops[o] ~ /^short_/ && family == "x86") {
            check_entry(ops[o])
            check_entry(ops[o] "_run")
            check_entry(ops[o] "_any")
            ++short
        }
    }
    where = compiler
    if (nbodies == 0 || straight == 0 || (family == "x86" && short == 0)) {
        complain("nothing was looked at")
    }
    if (family == "x86" && (streams["AVX512VBMI"] == 0 || streams["AVX512"] == 0 ||
                            streams["AVX2LANE"] == 0 || streams["AVX2BYTE"] == 0)) {
        complain("no body with stores past the cache was looked at")
    }
    if (family == "x86" && combining == 0) {
        complain("no body with write combining was looked at")
    }
    exit wrong
}
