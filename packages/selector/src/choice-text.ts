import type { BackendChoice } from './selection.ts'

/** No message of any backend is as long as that, in bytes. */
const BEYOND_BYTES = 2_147_483_631

function below(bytes: number): string {
  return bytes === 1 ? 'never' : bytes > BEYOND_BYTES ? 'always' : `below ${bytes} B`
}

/**
 * Who runs what, in a few words: `wasm below 51800 B, node from there on`.
 * @param choice - `backend` of a selection, or of its JSON.
 */
export function choiceText(choice: BackendChoice): string {
  if (typeof choice === 'string') return choice
  const { crossoverBytes: seal, large, openCrossoverBytes: open, small, syncCalls } = choice
  const lengths =
    open === undefined
      ? `${below(seal)}, ${large} from there on`
      : `${below(seal)} when sealing and ${below(open)} when opening, else ${large}`
  const calls = syncCalls === undefined ? '' : ` by promise; Sync calls stay with ${small}`
  return `${small} ${lengths}${calls}`
}
