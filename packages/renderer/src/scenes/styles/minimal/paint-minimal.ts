import { css, hex, mixRgb, toYuv, type Rgb } from '../../../picture/color.ts'
import type { SceneBrief, TimeOfDay } from '../../prompt/scene-brief.ts'
import type { Place } from '../../prompt/place.ts'
import type { Painter, Stage } from '../../stage.ts'
import { SheetStack } from '../cutout/sheet-stack.ts'
import { withSubjects } from '../cutout/layout.ts'
import { minimalLayouts, type MinimalColors } from './layouts.ts'

const colorsByTime: Record<TimeOfDay, MinimalColors> = {
  dawn: { empty: hex('#f7e8dc'), sun: hex('#f2a287'), farColor: hex('#b3bccd'), nearColor: hex('#4a5a7a') },
  day: { empty: hex('#eef2ec'), sun: hex('#f4c24a'), farColor: hex('#9cc3bd'), nearColor: hex('#2f6068') },
  dusk: { empty: hex('#f6dcc2'), sun: hex('#e5583a'), farColor: hex('#c0718a'), nearColor: hex('#3c2a50') },
  night: { empty: hex('#16243f'), sun: hex('#f3e7c6'), farColor: hex('#30497a'), nearColor: hex('#0b1430') },
}

/** Colors of far and near ground at noon, for places whose ground differs from `colorsByTime`. */
const grounds: Partial<Record<Place, readonly [Rgb, Rgb]>> = {
  desert: [hex('#e8c08a'), hex('#b87842')],
  meadow: [hex('#a8c98a'), hex('#4f8a54')],
  forest: [hex('#a3c3a0'), hex('#2c5c46')],
  snowfield: [hex('#cfdde8'), hex('#5f7f9c')],
  sea: [hex('#8cc4d2'), hex('#1f6f94')],
  underwater: [hex('#6db8c8'), hex('#1b5f86')],
}

/**
 * Paints a few flat shapes in four colors around one large sun, with much empty space between them.
 */
export function paintMinimal(stage: Stage): (Painter | undefined)[] | undefined {
  const { compositor, brief, geometry } = stage
  const arrange = minimalLayouts[brief.place]
  if (!arrange) return undefined
  compositor.setFinish({ vignette: 0, dither: 0.6 })
  const colors = chooseColors(brief)
  const stack = new SheetStack(stage, { shadow: { strength: 0, reach: 0 }, grain: undefined, edge: 0 })
  const empty = compositor.texture(32, 32, (_u, _v, yuv) => yuv.splice(0, 3, ...toYuv(colors.empty)))
  const { width, height } = geometry
  return [
    () => compositor.drawTexture(empty, { x: 0, y: 0, width, height }, { mode: 'replace' }),
    paintSun(stage, colors),
    ...withSubjects(stage, arrange(stack, colors, stage.random('crests'))),
  ]
}

function chooseColors({ time, place, colors: namedColors, season }: SceneBrief): MinimalColors {
  const timeColors = colorsByTime[time]
  const ground = grounds[place]
  const share = { day: 1, dawn: 0.45, dusk: 0.3, night: 0.15 }[time]
  const farColor = ground ? mixRgb(timeColors.farColor, ground[0], share) : timeColors.farColor
  const nearColor = ground ? mixRgb(timeColors.nearColor, ground[1], share) : timeColors.nearColor
  const leaves = season === 'autumn' ? hex('#c8642c') : season === 'spring' ? hex('#e89ab0') : undefined
  const accent = namedColors[0] ?? leaves
  const empty =
    place === 'underwater' ? mixRgb(timeColors.empty, grounds.underwater?.[0] ?? timeColors.farColor, 0.3) : timeColors.empty
  return {
    ...timeColors,
    empty,
    farColor: accent ? mixRgb(farColor, accent, 0.75) : farColor,
    nearColor: accent ? mixRgb(nearColor, accent, 0.3) : nearColor,
  }
}

const tallPlaces: ReadonlySet<Place> = new Set(['city', 'mountains', 'waterfall', 'volcano'])

/** Paints one large disc that rises slightly. */
function paintSun(stage: Stage, { sun }: MinimalColors): Painter {
  const { compositor, geometry, horizon, brief } = stage
  const radius = geometry.unit * 0.17
  const layer = compositor.layer(
    radius * 2 + 4,
    radius * 2 + 4,
    (context, width, height) => {
      context.fillStyle = css(sun)
      context.beginPath()
      context.arc(width / 2, height / 2, radius, 0, Math.PI * 2)
      context.fill()
    },
    { isFinal: true },
  )
  // The sun stands high enough to be visible above tall places.
  const sunHeight = { day: 1.75, dawn: 0.7, dusk: 0.6, night: 1.9 }[brief.time] + (tallPlaces.has(brief.place) ? 1 : 0)
  const y = Math.max(radius * 1.3, horizon - radius * sunHeight)
  return (moment) =>
    stage.drawAt(
      layer,
      {
        x: stage.sun.x - layer.width / 2,
        y: y - layer.height / 2 - (moment.progress - 0.5) * radius * 0.16,
        depth: 0.006,
      },
      moment,
    )
}
