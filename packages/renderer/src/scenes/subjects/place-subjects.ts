import type { PlacedSubjects } from './placed-subjects.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import { subjectWords } from '../prompt/subject-words.ts'
import { paintSights } from '../sky/sights.ts'
import type { Painter, Stage } from '../stage.ts'
import { combinePainters } from '../combine-painters.ts'
import { paintBridge } from './bridge.ts'
import { paintDriving, paintViaduct, type Drive, type RoutePosition } from './drive.ts'
import { paintFloating } from './float.ts'
import { paintBirds } from './flock-together.ts'
import { paintFluttering } from './flutter.ts'
import { paintClimbing, paintFlying } from './fly.ts'
import { paintHovering, paintRising } from './hover.ts'
import { presenceOf, type Presence } from './kinds.ts'
import { paintLeaping } from './leap.ts'
import { paintStanding } from './stand.ts'
import type { Model } from './model.ts'
import { paintSwimming, type Stroke } from './swim.ts'
import { paintWalkers, type Walker } from './walk.ts'

/** Positions of the subjects in a place. */
export interface Footing {
  /** Row of the subject's feet, in pixels from the top. */
  ground: number
  depth: number
  /** Position of distant subjects such as buildings, bridges and tracks. */
  standing: { ground: number; depth: number; size: number }
  /** Position of boats: `ground` is their waterline. Undefined if the place has no water. */
  afloat?: { ground: number; depth: number; size: number }
  size?: number
}

/** A subject's painter, and the layer of `PlacedSubjects` that it belongs to. */
interface Placed {
  layer: Exclude<keyof PlacedSubjects, 'sky'>
  painter: Painter | undefined
  /** Whether the subject is painted before the other subjects of its layer, which are nearer. */
  isBehind?: boolean
}

/** Turns the brief's subjects into painters for this footing. */
export function placeSubjects(stage: Stage, footing: Footing): PlacedSubjects {
  const placed = stage.brief.subjects.flatMap(
    (subject, order) => placeSubject(stage, subject, presenceOf(subject), footing, order) ?? [],
  )
  const paintersOf = (layer: Placed['layer']): (Painter | undefined)[] =>
    placed
      .filter((subject) => subject.layer === layer)
      .toSorted((a, b) => Number(b.isBehind ?? false) - Number(a.isBehind ?? false))
      .map(({ painter }) => painter)
  return {
    sky: combinePainters(paintSights(stage)),
    floating: combinePainters(paintersOf('floating')),
    ground: combinePainters(paintersOf('ground')),
  }
}

function placeSubject(stage: Stage, subject: Subject, presence: Presence, footing: Footing, order: number): Placed | undefined {
  const { ground, depth, standing, afloat, size = 1 } = footing
  const { geometry, horizon } = stage
  const isWater = afloat !== undefined
  switch (presence.moves) {
    case 'walks':
      // A stadium places its players itself.
      if (subject.kind === 'player' && stage.brief.place === 'stadium') return undefined
      if (stage.brief.settings.has('portrait') && isPortrayed(subject))
        return { layer: 'ground', painter: paintPortrait(stage, subject, presence.model, order) }
      return { layer: 'ground', painter: paintWalkers(stage, subject, presence.model, { ground, depth, order, size }) }
    case 'stands': {
      if (presence.where === 'near') {
        const site = { ground: ground - geometry.unit * 0.014, depth, order, size, distance: 0.1, hasShadow: true }
        return { layer: 'ground', painter: paintStanding(stage, subject, presence.model, site, presence.hasSparks) }
      }
      const distance = Math.max(0.3, Math.min(1, 1 - (standing.ground - horizon) / (geometry.height - horizon)))
      // If the ground of a water scene is at the horizon, subjects stand on the far shore, behind
      // the water that reflects them.
      const isFarShore = isWater && standing.ground - horizon < geometry.unit * 0.01
      const site = { ...standing, order, distance: isFarShore ? 0.7 : distance * 0.75, hasShadow: !isFarShore }
      // The banks cover the edge of the water, so subjects on a bank are painted later.
      const layer = isWater && !isFarShore ? 'ground' : 'floating'
      return { layer, painter: paintStanding(stage, subject, presence.model, site), isBehind: true }
    }
    case 'spans':
      return {
        layer: 'floating',
        painter: isWater
          ? paintBridge(stage, subject, { ...standing, ground: Math.min(standing.ground, horizon + 2) })
          : paintViaduct(stage, { ...standing, size: 1.6, distance: 0.5 }, subject.color),
      }
    case 'flocks':
      return { layer: 'floating', painter: paintBirds(stage, subject, presence.model, presence.flocking, order) }
    case 'hovers':
      return { layer: 'floating', painter: paintHovering(stage, subject, presence.model, order) }
    case 'rises':
      return { layer: 'floating', painter: paintRising(stage, subject, presence.model) }
    case 'climbs':
      return { layer: 'floating', painter: paintClimbing(stage, subject, presence.model) }
    case 'flies':
      return { layer: 'floating', painter: paintFlying(stage, subject, presence.model, presence.flight, order) }
    case 'flutters':
      return { layer: 'ground', painter: paintFluttering(stage, subject, presence.model) }
    case 'leaps':
      if (isWater) return { layer: 'ground', painter: paintLeaping(stage, subject, presence.model, afloat) }
      return placeSwimmer(stage, subject, presence.model, { speed: 0.1, heightShare: 0.42 }, order)
    case 'floats':
      if (isWater) return { layer: 'ground', painter: paintFloating(stage, subject, presence.model, { ...afloat, order }) }
      return {
        layer: 'ground',
        painter: paintStanding(stage, subject, presence.model, { ground, depth, order, size, distance: 0.1, hasShadow: true }),
      }
    case 'swims':
      if (subject.condition === 'leaping' && isWater)
        return { layer: 'ground', painter: paintLeaping(stage, subject, presence.model, afloat) }
      if (presence.crawler && stage.brief.place !== 'underwater')
        return { layer: 'ground', painter: paintWalkers(stage, subject, presence.crawler, { ground, depth, order, size }) }
      return placeSwimmer(stage, subject, presence.model, presence.stroke, order)
    case 'drives':
      return {
        layer: 'ground',
        painter: paintDriving(stage, subject, presence.model, presence.drive, routeOf(stage, footing, presence.drive)),
      }
    case 'plays':
      return placeBall(stage, subject, presence.model, { ground, depth, order, size })
    // Items that lie on a surface are painted by tables and podiums.
    default:
      return undefined
  }
}

function isPortrayed({ kind, count }: Subject): boolean {
  const entry = subjectWords[kind]
  return count === 1 && 'group' in entry && entry.group === 'people'
}

/** Paints a person so near that the frame ends at the waist. */
function paintPortrait(stage: Stage, subject: Subject, model: Walker, order: number): Painter {
  const { height, unit } = stage.geometry
  // The person is as high as the frame, for every kind of person.
  const size = 0.98 / model.height
  return paintWalkers(stage, { ...subject, motion: 'rests' }, model, {
    ground: height + unit * 0.46,
    depth: 0.26,
    order,
    size,
  })
}

/**
 * Places a ball. A stadium paints a moving ball itself, and elsewhere the ball lies on the ground.
 */
function placeBall(
  stage: Stage,
  subject: Subject,
  model: Model,
  site: { ground: number; depth: number; order: number; size: number },
): Placed {
  const isPlayed = stage.brief.place === 'stadium'
  return {
    layer: 'ground',
    painter: isPlayed ? undefined : paintStanding(stage, subject, model, { ...site, distance: 0, hasShadow: true }),
  }
}

/** Places a swimmer. Without water, the swimmer floats through the air, like in a dream. */
function placeSwimmer(stage: Stage, subject: Subject, model: Model, stroke: Stroke, order: number): Placed {
  if (stage.brief.place === 'underwater') return { layer: 'ground', painter: paintSwimming(stage, subject, model, stroke, order) }
  const heightShare = (stage.horizon / stage.geometry.height) * 0.6
  return { layer: 'floating', painter: paintSwimming(stage, subject, model, { ...stroke, heightShare }, order) }
}

/**
 * Returns the position of a road or track. A road is nearer than a track, which crosses the middle
 * of the image.
 */
function routeOf({ geometry }: Stage, { ground, depth, standing, size = 1 }: Footing, { route }: Drive): RoutePosition {
  if (route === 'track') return { ...standing, size: 1, distance: 0.5 }
  return { ground: Math.min(ground, geometry.height - geometry.unit * 0.085), depth, size, distance: 0.05 }
}
