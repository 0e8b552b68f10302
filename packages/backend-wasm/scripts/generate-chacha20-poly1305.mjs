// Writes the rounds of ChaCha20 and the block step of Poly1305 as AssemblyScript, written out so that no
// call and no array stands between two steps.

const range = (n) => Array.from({ length: n }, (_, i) => i)
const lines = (...parts) => parts.flat(Infinity).join('\n')

// ---- ChaCha20 -----------------------------------------------------------------------------------

const masks = lines('const rotate16 = v128.load(MASKS)', 'const rotate8 = v128.load(MASKS, 16)')

/**
 * Rotations by 16 and 8 are byte moves. The others add the two shifts, whose bits do not overlap:
 * JavaScriptCore runs `v128.or` in the floating-point domain, where changing over costs cycles.
 */
const rotate = (x, bits) =>
  bits % 8 === 0
    ? `${x} = i8x16.swizzle(${x}, rotate${bits})`
    : `${x} = i32x4.add(i32x4.shl(${x}, ${bits}), i32x4.shr_u(${x}, ${32 - bits}))`

/** RFC 8439 §2.1: one quarter round on each [a, b, c, d] of `quads`, step by step side by side. */
const quarterRounds = (quads) => {
  const step = (x, y, z, bits) =>
    quads.map((q) => [
      `${q[x]} = i32x4.add(${q[x]}, ${q[y]})`,
      `${q[z]} = v128.xor(${q[z]}, ${q[x]})`,
      rotate(q[z], bits),
    ])
  const [a, b, c, d] = range(4)
  return [step(a, b, d, 16), step(c, d, b, 12), step(a, b, d, 8), step(c, d, b, 7)]
}

/** Brings word i + n of `x` to place i. */
const turn = (x, n) => `${x} = v128.shuffle<u32>(${x}, ${x}, ${range(4).map((i) => (i + n) % 4)})`

/** One row of one block per vector. */
const blockRows = (blocks) => range(blocks).map((i) => [`a${i}`, `b${i}`, `c${i}`, `d${i}`])
const startRows = (blocks) =>
  range(blocks).map((i) => `let a${i} = a, b${i} = b, c${i} = c, d${i} = ${counterRow(i)}`)
const counterRow = (i) => (i ? `i32x4.add(d, i32x4(${i}, 0, 0, 0))` : 'd')
const loadRows = ['a', 'b', 'c', 'd'].map((row, i) => `let ${row} = v128.load(STATE, ${16 * i})`)
const advance = (blocks) => `d = i32x4.add(d, i32x4(${blocks}, 0, 0, 0))`

/** Hands each finished row, start state added, and its place to `use`. */
const finishRows = (blocks, use) =>
  blockRows(blocks).map((rows, i) =>
    rows.map((row, j) => use(`i32x4.add(${row}, ${j === 3 ? counterRow(i) : row[0]})`, 64 * i + 16 * j)),
  )

/**
 * Diagonals become columns by turning a, c and d against b: b is the last to be ready, so the turns
 * run beside its last steps.
 */
const shortDoubleRound = (blocks) => {
  const rows = blockRows(blocks)
  return [
    quarterRounds(rows),
    rows.map(([a, , c, d]) => [turn(a, 3), turn(c, 1), turn(d, 2)]),
    quarterRounds(rows),
    rows.map(([a, , c, d]) => [turn(a, 1), turn(c, 3), turn(d, 2)]),
  ]
}

/** The next `blocks` blocks, written to `to`: the whole keystream of a short message. */
const shortBlocks = (name, blocks) => `
export function ${name}(to: usize): void {
  ${lines(masks, loadRows, startRows(blocks))}
  for (let i = 0; i < 10; i++) {
    ${lines(shortDoubleRound(blocks))}
  }
  ${lines(finishRows(blocks, (row, at) => `v128.store(to, ${row}, ${at})`))}
  ${advance(blocks)}
  v128.store(STATE, d, 48)
}`

/** draft-irtf-cfrg-xchacha-03 §2.2: the start state is not added; rows a and d replace the key. */
const subkey = `
export function subkey(): void {
  ${lines(masks, loadRows, 'let a0 = a, b0 = b, c0 = c, d0 = d')}
  for (let i = 0; i < 10; i++) {
    ${lines(shortDoubleRound(1))}
  }
  v128.store(STATE, a0, 16)
  v128.store(STATE, d0, 32)
}`

// ---- Poly1305 -----------------------------------------------------------------------------------

/**
 * RFC 8439 §2.5.1: h = (h + block) * r, partly reduced modulo 2^130 - 5. Limbs of 32, 32, 32 and 34
 * bits in 64-bit integers; `words` are the four words of the block.
 *
 * r is clamped, so r0..r3 < 2^28 and s_i = 5/4 r_i is whole: a product that passes 2^128 comes back
 * with that factor, since 2^130 = 5. In units of 2^32 the limbs stay, with the block added, below
 * 3.03, 2, 2 and 6; so the largest sum (p0) stays below 2^60 * (3.03 + 2.5 + 2.5 + 7.5) < 2^64.
 * h0 is ready last and therefore added last.
 */
const polyStep = (words) =>
  lines(
    range(4).map((i) => `h${i} += ${words[i]}${i === 3 ? ' + BLOCK_BIT' : ''}`),
    'p0 = h1 * s3 + h2 * s2 + h3 * s1 + h0 * r0',
    'p1 = h1 * r0 + h2 * s3 + h3 * s2 + h0 * r1 + (p0 >> 32)',
    'p2 = h1 * r1 + h2 * r0 + h3 * s3 + h0 * r2 + (p1 >> 32)',
    'p3 = h1 * r2 + h2 * r1 + h3 * r0 + h0 * r3 + (p2 >> 32)',
    'over = p3 >> 34',
    'h0 = (p0 & LOW_32) + (over + (over << 2))',
    'h1 = p1 & LOW_32',
    'h2 = p2 & LOW_32',
    'h3 = p3 & LOW_34',
  )
const polyStepFromMemory = lines(
  polyStep(range(4).map((i) => `<u64>load<u32>(from, ${4 * i})`)),
  'from += 16',
)
const polyLoad = lines(
  'let p0: u64, p1: u64, p2: u64, p3: u64, over: u64',
  range(4).map((i) => `let h${i} = load<u64>(POLY, ${8 * i})`),
  range(4).map((i) => `const r${i} = load<u64>(POLY, ${32 + 8 * i})`),
  range(3).map((i) => `const s${i + 1} = load<u64>(POLY, ${64 + 8 * i})`),
)
const polyStore = lines(range(4).map((i) => `store<u64>(POLY, h${i}, ${8 * i})`))

const absorb = `
/** Absorbs \`blocks\` blocks at \`from\`, then one more given as two words. */
export function absorb(from: usize, blocks: usize, low: u64, high: u64): void {
  ${polyLoad}
  for (; blocks > 0; blocks--) {
    ${polyStepFromMemory}
  }
  ${polyStep(['(low & LOW_32)', '(low >> 32)', '(high & LOW_32)', '(high >> 32)'])}
  ${polyStore}
}`

// ---- Both at once -------------------------------------------------------------------------------

const columns = () => {
  const quads = (shift) => range(4).map((i) => range(4).map((row) => `x${4 * row + ((i + shift * row) % 4)}`))
  const start = (i) => (i === 12 ? 'counters' : `v128.load_splat<u32>(STATE, ${4 * i})`)
  /** Four vectors of one word of each block become four vectors of four words of one block. */
  const mixRow = (row) => {
    const [w, x, y, z] = range(4).map((i) => `x${4 * row + i}`)
    const low = '0, 4, 1, 5'
    const high = '2, 6, 3, 7'
    return [
      `t0 = v128.shuffle<u32>(${w}, ${x}, ${low})`,
      `t1 = v128.shuffle<u32>(${y}, ${z}, ${low})`,
      `t2 = v128.shuffle<u32>(${w}, ${x}, ${high})`,
      `t3 = v128.shuffle<u32>(${y}, ${z}, ${high})`,
      range(4).map((block) =>
        mix(
          `v128.shuffle<u64>(${block < 2 ? 't0, t1' : 't2, t3'}, ${block % 2 ? '1, 3' : '0, 2'})`,
          64 * block + 16 * row,
        ),
      ),
    ]
  }
  return {
    before: lines(
      'let t0: v128, t1: v128, t2: v128, t3: v128',
      'let counters = i32x4.add(v128.load_splat<u32>(STATE, 48), i32x4(0, 1, 2, 3))',
    ),
    start: lines(range(16).map((i) => `let x${i} = ${start(i)}`)),
    columnRound: lines(quarterRounds(quads(0))),
    diagonalRound: lines(quarterRounds(quads(1))),
    finish: lines(
      range(16).map((i) => `x${i} = i32x4.add(x${i}, ${start(i)})`),
      range(4).map(mixRow),
      'counters = i32x4.add(counters, i32x4.splat(4))',
    ),
    after: 'store<u32>(STATE, i32x4.extract_lane(counters, 0), 48)',
  }
}

const rows = () => {
  const names = blockRows(4)
  // Four blocks side by side never wait for b, and this order of turns measured faster.
  const turns = (forth) =>
    names.map(([, b, c, d]) => [turn(b, forth ? 1 : 3), turn(c, 2), turn(d, forth ? 3 : 1)])
  return {
    before: lines(loadRows),
    start: lines(startRows(4)),
    columnRound: lines(quarterRounds(names), turns(true)),
    diagonalRound: lines(quarterRounds(names), turns(false)),
    finish: lines(finishRows(4, mix), advance(4)),
    after: 'v128.store(STATE, d, 48)',
  }
}

const mix = (row, at) => `v128.store(to, v128.xor(v128.load(to, ${at}), ${row}), ${at})`

/**
 * Poly1305 in scalar integers runs in execution units that ChaCha20 in vectors leaves idle, so
 * blocks of one are set between the rounds of the other.
 */
const bulk = ({ before, start, columnRound, diagonalRound, finish, after }) => `
/**
 * Mixes keystream into \`steps\` times 256 bytes at \`to\`. On the way absorbs blocks from \`from\` on,
 * at most 20 a step and none past \`ready\`, which moves by \`grows\` after each step.
 * Returns the end of what was absorbed.
 */
export function bulk(to: usize, steps: usize, from: usize, ready: usize, grows: usize): usize {
  ${lines(masks, polyLoad, before)}
  for (; steps > 0; steps--) {
    ${start}
    const blocks = <i32>min<usize>((ready - from) >> 4, 20)
    for (let i = 0; i < 10; i++) {
      ${columnRound}
      if (i < blocks) {
        ${polyStepFromMemory}
      }
      ${diagonalRound}
      if (i + 10 < blocks) {
        ${polyStepFromMemory}
      }
    }
    ${finish}
    to += 256
    ready += grows
  }
  ${lines(after, polyStore)}
  return from
}`

/**
 * Source of assembly/chacha20-poly1305/rounds.generated.ts.
 * @param layout - how bulk keystream lies in vectors: `columns` (one word of four blocks, fastest on V8)
 *   or `rows` (one row of one block, fastest on JavaScriptCore).
 */
export function chacha20Poly1305Rounds(layout) {
  const layouts = { columns, rows }
  return `// Generated by scripts/generate-chacha20-poly1305.mjs.
import { BLOCK_BIT, LOW_32, LOW_34 } from './limbs'
import { MASKS, POLY, STATE } from './layout'
${lines(shortBlocks('pair', 2), shortBlocks('triple', 3), subkey, absorb, bulk(layouts[layout]()))}
`
}
