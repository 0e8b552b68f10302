import { refuse } from '../checks.ts'
import { checkList } from './options.ts'

/** A list in order of preference; names inside one inner list are equal, and the peer's order decides among them. */
export type Groups = readonly (string | readonly string[])[]

/** @throws AeadError `invalid-argument`: not a list of names and of lists of names. */
export function checkGroups(option: string, groups: unknown): void {
  if (!Array.isArray(groups)) refuse(option, 'a list of names and of lists of equals', groups)
  for (const group of groups) if (typeof group !== 'string') checkList(option, group)
}

/** Every name of the groups, in order. */
export function flatten(groups: Groups): readonly string[] {
  return groups.flat()
}

/**
 * Takes the first group that shares a name with the peer, and of that group the name the peer lists first.
 * @returns the name, or `undefined` when nothing is shared.
 * @throws AeadError `invalid-argument`: not lists of names.
 */
export function pick(groups: Groups, peerList: readonly string[]): string | undefined {
  checkGroups('groups', groups)
  checkList('peerList', peerList)
  for (const group of groups) {
    const equal = typeof group === 'string' ? [group] : group
    const chosen = peerList.find((name) => equal.includes(name))
    if (chosen !== undefined) return chosen
  }
  return undefined
}
