import sharp from 'sharp'

const acceptedLoaders = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
]

/**
 * Disables all decoders of the library in this process, except those of the accepted types. The
 * library chooses a decoder by its own rules. A file that passes the service's check of the first
 * bytes could otherwise reach, for example, the SVG decoder.
 */
export function closeOtherLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: acceptedLoaders })
}
