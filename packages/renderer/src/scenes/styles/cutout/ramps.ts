import { colorRamp, hex, mixRgb, type Rgb } from '../../../picture/color.ts'
import type { SceneBrief, TimeOfDay } from '../../prompt/scene-brief.ts'
import type { Place } from '../../prompt/place.ts'

export type Ramp = (share: number) => Rgb

interface TimeColors {
  /** Colors from the sun outward. */
  sky: Ramp
  sun: Rgb
  cloud: Rgb
  /** Colors toward which the time of day shifts land and water, from far to near. */
  shade: Ramp
  /** How far colors are shifted toward `shade`: 0 is not at all, 1 is completely. */
  share: number
}

const ramp = (colors: string): Ramp => colorRamp(colors.split(' ').map(hex))

const colorsByTime: Record<TimeOfDay, TimeColors> = {
  dawn: {
    sky: ramp('#fff3d9 #fde0c6 #f6c8bd #e3b3c0 #bfa0c4 #9690c0'),
    sun: hex('#fffaf0'),
    cloud: hex('#fff1e6'),
    shade: ramp('#b9a9c9 #8c8bb5 #5f6f9c #3d5580'),
    share: 0.4,
  },
  day: {
    sky: ramp('#f4f8ee #d8edee #b8deea #92cbe2 #6db6d9 #4b9ccb'),
    sun: hex('#ffd85e'),
    cloud: hex('#ffffff'),
    shade: ramp('#d4e8e6 #8fbfca #3f7f96 #174c63'),
    share: 0.16,
  },
  dusk: {
    sky: ramp('#ffe3ac #fbc189 #f29a72 #d9746c #ab5569 #743f66'),
    sun: hex('#fff4d4'),
    cloud: hex('#fbd0a4'),
    shade: ramp('#c4677a #8a4a70 #553060 #2a1b42'),
    share: 0.8,
  },
  night: {
    sky: ramp('#7690c4 #567ab0 #3c5c94 #294476 #1b305a #111f40'),
    sun: hex('#f8efd2'),
    cloud: hex('#5b76ab'),
    shade: ramp('#44639a #2a4478 #182c55 #0b1733'),
    share: 0.82,
  },
}

/**
 * Colors of the land from far to near, before the shift by the time of day. In this style, the land
 * consists of sheets of one color each.
 */
const lands: Partial<Record<Place, Ramp>> & { meadow: Ramp } = {
  village: ramp('#cfe2b0 #a4cc84 #f0c090 #e08860 #4f9048'),
  river: ramp('#cfe0b0 #a6c884 #78ab5c #4c8a44 #2a6034'),
  volcano: ramp('#c9b8c4 #94798c #6a5068 #46344c #281c32'),
  sky: ramp('#f2ecf4 #e4dcec #f4eef6 #fbf8fc #ffffff'),
  beach: ramp('#a8d8dc #6fbccb #3f9cb8 #22789c #125278'),
  waterfall: ramp('#c6d8c8 #8fb59c #5c8f78 #356a58 #1c463c'),
  lake: ramp('#bcd3d6 #8db5bd #5d9199 #356a70 #1c4a4e'),
  mountains: ramp('#cfd8e2 #a3b6c8 #7590a6 #456a7c #24454f'),
  sea: ramp('#a8d8dc #6fbccb #3f9cb8 #22789c #125278'),
  forest: ramp('#c3dcb4 #93bf8c #5f9a66 #37744a #1a4a30'),
  desert: ramp('#f6ddb0 #ecc283 #dc9f58 #c07c3c #8e5428'),
  city: ramp('#c7d0da #a1aebf #77879f #4f5f7c #2d3a56'),
  space: ramp('#6a5aa8 #4f4390 #383074 #241f56 #14112f'),
  snowfield: ramp('#c9dcea #dde9f2 #edf4f8 #f6fafb #ffffff'),
  meadow: ramp('#d3e3a8 #a9cc7c #7db154 #508f3c #2c6430'),
  underwater: ramp('#7cc9d0 #4aa6bc #2b82a4 #185f88 #0c3f66'),
  abstract: ramp('#f7ecd2 #f0b97a #e0745c #a8476a #4e2f66'),
}

const waters = ramp('#8fc8d4 #5fa9c0 #3a89ab #226a92 #124a72')

/** The few colors of a scene of flat sheets. */
export interface SheetColors {
  sky: Ramp
  sun: Rgb
  cloud: Rgb
  /** Colors of the land of the prompt's place: 0 is far, 1 is near. */
  land: Ramp
  landOf: (place: Place, share: number) => Rgb
  water: Ramp
}

export function createSheetColors({ time, place, season, colors, sights }: SceneBrief): SheetColors {
  const timeColors = colorsByTime[time]
  const accent = sights.has('flowers') ? undefined : colors[0]
  const tinted = (color: Rgb): Rgb => (accent ? mixRgb(color, accent, 0.3) : color)
  const applyTime =
    (colors: Ramp): Ramp =>
    (share) =>
      tinted(
        mixRgb(applySeason(colors(share), season, place), timeColors.shade(share), timeColors.share * (timeFactors[place] ?? 1)),
      )
  const landRamp = lands[place] ?? lands.meadow
  const sky = (share: number): Rgb => mixRgb(timeColors.sky(share), landRamp(0.4 + share * 0.6), place in timeFactors ? 0.85 : 0)
  return {
    sky: (share) => tinted(sky(share)),
    sun: timeColors.sun,
    cloud: tinted(timeColors.cloud),
    land: applyTime(landRamp),
    landOf: (place, share) => applyTime(lands[place] ?? landRamp)(share),
    water: applyTime(waters),
  }
}

/** Factors of the shift by the time of day, for places that hardly change with it. */
const timeFactors: Partial<Record<Place, number>> = { space: 0.3, abstract: 0.2 }

const seasonColors = { spring: hex('#f2a8c0'), summer: hex('#8cc04c'), autumn: hex('#d8702c') }

function applySeason(color: Rgb, season: SceneBrief['season'], place: Place): Rgb {
  const isLeafy = place === 'forest' || place === 'meadow' || place === 'lake' || place === 'mountains'
  return season && isLeafy ? mixRgb(color, seasonColors[season], 0.42) : color
}
