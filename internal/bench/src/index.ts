/** Benches: ratios from one process, interleaved, medians. @module */
export { BARS, type Bar, barFor } from './bars.ts'
export { COMPARED, type Compared, type Contender, loadLibraries, OURS } from './contenders.ts'
export { type Effort, median, type Timed, type Timing, time } from './rounds.ts'
export { type Row, runSize } from './run.ts'
export { type Machine, machine } from './runtime.ts'
export { markdown } from './table.ts'
