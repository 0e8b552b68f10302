/**
 * What a machine shows of itself: files and variables, flags, masks, and the state of a FIPS module. Builds for pages and edge workers take
 * `machine.web.ts` in its place: nothing of it can be seen there, and the readers would be most of what is shipped.
 */

export { systemOf } from '../host-system.ts'
export { collectFips } from './fips.ts'
export { collectPlatform } from './platform.ts'
