import { lightYuv, mixRgb, type Rgb } from '../../picture/color.ts'
import { paintAir } from '../air/paint-air.ts'
import { paintFog } from '../air/mist.ts'
import type { TimeOfDay } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintGrade } from '../styles/grade.ts'
import { paintStyle } from '../styles/style.ts'
import { paintWriting } from '../writing/paint-writing.ts'
import { paintGivenFrame } from './paint-given-frame.ts'

/** Factors of the light and of the color saturation at each time of day. */
const gradeByTime: Record<TimeOfDay, { gain: number; saturation: number }> = {
  dawn: { gain: 0.96, saturation: 0.86 },
  day: { gain: 1, saturation: 0.95 },
  dusk: { gain: 0.84, saturation: 0.86 },
  night: { gain: 0.5, saturation: 0.6 },
}
/** Share of the palette's color that tints the shadows and lights of the video. */
const tintShare = 0.5

/**
 * Edits a given video according to the prompt. The time of day and the palette determine the light
 * and the tint. Fog, snow and leaves are drawn in front, the style changes the whole image, and
 * quoted text is drawn last.
 */
export function paintEdit(stage: Stage, frame: Uint8Array): (Painter | undefined)[] {
  const { brief, palette } = stage
  const [accent] = brief.colors
  const light = accent === undefined ? palette.sunlight : mixRgb(palette.sunlight, accent, 0.6)
  const painters = [
    paintGivenFrame(stage, frame),
    paintGrade(stage, {
      ...gradeByTime[brief.time],
      contrast: 0.1,
      lift: 0,
      shadows: chromaOf(palette.shade),
      lights: chromaOf(light),
      vignette: 0.16,
      grain: 1,
    }),
    ...paintAir(stage),
    ...(brief.weather === 'fog' ? paintFog(stage) : []),
  ].filter((painter) => painter !== undefined)
  return [...painters, paintStyle(stage, painters), paintWriting(stage)]
}

function chromaOf(color: Rgb): [u: number, v: number] {
  const [, u, v] = lightYuv(color)
  return [u * tintShare, v * tintShare]
}
