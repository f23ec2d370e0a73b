import { avifRows } from './make-avifs.ts'
import { gifRows, webpRows } from './make-animations.ts'
import { jpegRows } from './make-jpegs.ts'
import { otherRows } from './make-others.ts'
import { pngRows } from './make-pngs.ts'
import type { ImageRow } from './image-row.ts'

/** Hostile and odd files, each created on demand. */
export const imageRows: readonly ImageRow[] = [...jpegRows, ...pngRows, ...webpRows, ...avifRows, ...gifRows, ...otherRows]
