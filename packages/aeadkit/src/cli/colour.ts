import picocolors from 'picocolors'

type Colours = ReturnType<typeof picocolors.createColors>

/** On its own the library colours pipes as well where the variable `CI` is set. */
function coloursOf(stream: { readonly isTTY?: boolean }): Colours {
  const forced = (process.env.FORCE_COLOR ?? '') !== ''
  return picocolors.createColors(picocolors.isColorSupported && (stream.isTTY === true || forced))
}

/** Colours of results: on a terminal only. */
export const pc: Colours = /* @__PURE__ */ coloursOf(process.stdout)

/** Colours of errors and notices: on a terminal only. */
export const errorColours: Colours = /* @__PURE__ */ coloursOf(process.stderr)
