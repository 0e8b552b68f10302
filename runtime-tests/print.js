/** Starts the line that carries a record to the driver. */
export const MARK = 'aeadkit-record '

/** Hands the record of a run to the driver. */
export function print(record) {
  console.log(MARK + JSON.stringify(record))
}
