import { mixRgb, scaleRgb } from '../../picture/color.ts'
import { paintMotes, paintSnowfall } from './motes.ts'
import { paintRain } from './rain.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Place } from '../prompt/place.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintBubbles } from './bubbles.ts'
import { paintEmbers } from './embers.ts'
import { paintFireflies } from './fireflies.ts'
import { paintMeteors } from './meteors.ts'
import { paintTumbling } from './tumbling.ts'

/** Returns whether a subject has sparks of its own. */
function shedsSparks({ kind, condition }: Subject): boolean {
  return kind === 'campfire' || condition === 'burning'
}

const indoors: ReadonlySet<Place> = new Set(['room', 'table', 'podium', 'emblem'])

/**
 * Paints what falls or floats through the air of a scene, such as snow, leaves and fireflies, in
 * front of its other parts.
 */
export function paintAir(stage: Stage): (Painter | undefined)[] {
  const { brief, palette, horizon } = stage
  const { particles, place, season, weather } = brief
  const isUnderwater = place === 'underwater'
  // Indoors, weather is only visible outside the window.
  const isOutside = !isUnderwater && !indoors.has(place)
  const isDry = weather !== 'snow' && weather !== 'rain' && !isUnderwater && place !== 'space'
  const isLeafy = place === 'forest' || place === 'meadow'
  const leaves = particles.has('leaves') || (isLeafy && season === 'autumn')
  const petals = particles.has('petals') || brief.settings.has('blossom')
  const accent = brief.colors[0]
  return [
    weather === 'snow' && isOutside ? paintSnowfall(stage, [235, 240, 250]) : undefined,
    weather === 'rain' && isOutside ? paintRain(stage, palette.mist) : undefined,
    leaves && isDry && isOutside ? paintTumbling(stage, 'leaves') : undefined,
    petals && isDry && isOutside ? paintTumbling(stage, 'petals', accent) : undefined,
    particles.has('fireflies') && !isUnderwater ? paintFireflies(stage) : undefined,
    particles.has('embers') && !isUnderwater && !brief.subjects.some(shedsSparks) ? paintEmbers(stage) : undefined,
    particles.has('meteors') && isOutside ? paintMeteors(stage, 9) : undefined,
    particles.has('dust') && isDry
      ? paintMotes(stage, {
          count: 130,
          light: scaleRgb(mixRgb(palette.rim, palette.sunlight, 0.5), 0.26),
          top: horizon * 0.3,
          size: 0.9,
        })
      : undefined,
    particles.has('bubbles') ? paintBubbles(stage, isUnderwater ? 60 : 34) : isUnderwater ? paintBubbles(stage, 22) : undefined,
  ]
}
