import { css, hex, mixRgb, toYuv, type Rgb } from '../../../picture/colour.ts'
import type { SceneBrief, TimeOfDay } from '../../prompt/scene-brief.ts'
import type { Place } from '../../prompt/place.ts'
import type { Painter, Stage } from '../../stage.ts'
import { Desk } from '../cutout/desk.ts'
import { withSubjects } from '../cutout/layout.ts'
import { minimalLayouts, type MinimalColours } from './layouts.ts'

const hours: Record<TimeOfDay, MinimalColours> = {
  dawn: { empty: hex('#f7e8dc'), sun: hex('#f2a287'), far: hex('#b3bccd'), near: hex('#4a5a7a') },
  day: { empty: hex('#eef2ec'), sun: hex('#f4c24a'), far: hex('#9cc3bd'), near: hex('#2f6068') },
  dusk: { empty: hex('#f6dcc2'), sun: hex('#e5583a'), far: hex('#c0718a'), near: hex('#3c2a50') },
  night: { empty: hex('#16243f'), sun: hex('#f3e7c6'), far: hex('#30497a'), near: hex('#0b1430') },
}

/** Colors of far and near ground at noon, for places that differ from the hour's colors. */
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
  const colours = chooseColours(brief)
  const desk = new Desk(stage, { shadow: { strength: 0, reach: 0 }, grain: undefined, edge: 0 })
  const empty = compositor.texture(32, 32, (_u, _v, yuv) => yuv.splice(0, 3, ...toYuv(colours.empty)))
  const { width, height } = geometry
  return [
    () => compositor.drawTexture(empty, { x: 0, y: 0, width, height }, { mode: 'replace' }),
    paintSun(stage, colours),
    ...withSubjects(stage, arrange(desk, colours, stage.random('crests'))),
  ]
}

function chooseColours({ time, place, colours: named, season }: SceneBrief): MinimalColours {
  const hour = hours[time]
  const ground = grounds[place]
  const share = { day: 1, dawn: 0.45, dusk: 0.3, night: 0.15 }[time]
  const far = ground ? mixRgb(hour.far, ground[0], share) : hour.far
  const near = ground ? mixRgb(hour.near, ground[1], share) : hour.near
  const leaves = season === 'autumn' ? hex('#c8642c') : season === 'spring' ? hex('#e89ab0') : undefined
  const accent = named[0] ?? leaves
  const empty = place === 'underwater' ? mixRgb(hour.empty, grounds.underwater?.[0] ?? hour.far, 0.3) : hour.empty
  return { ...hour, empty, far: accent ? mixRgb(far, accent, 0.75) : far, near: accent ? mixRgb(near, accent, 0.3) : near }
}

const tall: ReadonlySet<Place> = new Set(['city', 'mountains', 'waterfall', 'volcano'])

/** Paints one large disc that rises slightly. */
function paintSun(stage: Stage, { sun }: MinimalColours): Painter {
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
  // The sun stands high enough to be visible over tall places.
  const up = { day: 1.75, dawn: 0.7, dusk: 0.6, night: 1.9 }[brief.time] + (tall.has(brief.place) ? 1 : 0)
  const y = Math.max(radius * 1.3, horizon - radius * up)
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
