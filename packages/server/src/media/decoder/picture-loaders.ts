import sharp from 'sharp'

const loadersOfOurTypes = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
]

/**
 * Closes every decoder of the library but those of the types that we read, for the whole process: it chooses by rules of
 * its own, and a file that our look at its first bytes lets through must not come out in the one for SVG.
 */
export function closeOtherLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loadersOfOurTypes })
}
