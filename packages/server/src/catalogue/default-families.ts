import { imgA } from './families/imga.ts'
import { sd } from './families/sd.ts'
import { text } from './families/text.ts'
import { veo } from './families/veo.ts'
import { vidB } from './families/vidb.ts'
import { vidC } from './families/vidc.ts'
import { vidD } from './families/vidd.ts'
import { vidG } from './families/vidg.ts'
import { vidH } from './families/vidh.ts'
import { vidK } from './families/vidk.ts'
import { vidM } from './families/vidm.ts'
import { videos } from './families/videos.ts'
import { vidW } from './families/vidw.ts'
import type { Family } from './model.ts'

/** The families that Framegate offers, in display order. */
export const defaultFamilies: readonly Family[] = [imgA, sd, vidM, videos, vidH, vidW, vidK, vidB, vidC, vidD, vidG, veo, text]
