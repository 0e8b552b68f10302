/** Version of this package: timings of other versions, and so of other backends, are not used. Written by the release. */
export const RELEASE: string = '0.1.0'
