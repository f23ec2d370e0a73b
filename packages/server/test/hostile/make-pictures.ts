import { avifRows } from './make-avifs.ts'
import { gifRows, webpRows } from './make-animations.ts'
import { jpegRows } from './make-jpegs.ts'
import { otherRows } from './make-others.ts'
import { pngRows } from './make-pngs.ts'
import type { PictureRow } from './picture-row.ts'

/** Hostile and odd files, each created on demand. */
export const pictureRows: readonly PictureRow[] = [...jpegRows, ...pngRows, ...webpRows, ...avifRows, ...gifRows, ...otherRows]
