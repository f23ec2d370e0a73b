import sharp from 'sharp'

const loadersOfOurTypes = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
]

/**
 * Disables every decoder of the library except those of the accepted types, for the whole process.
 * The library chooses a decoder by rules of its own. Without this call, a file that passes our
 * check of its first bytes could reach the decoder for SVG.
 */
export function closeOtherLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loadersOfOurTypes })
}
