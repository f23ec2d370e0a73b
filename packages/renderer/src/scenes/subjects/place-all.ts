import type { PlacedSubjects } from './placed-subjects.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import { subjectWords } from '../prompt/subject-words.ts'
import { paintSights } from '../sky/sights.ts'
import type { Painter, Stage } from '../stage.ts'
import { together } from '../together.ts'
import { paintBridge } from './bridge.ts'
import { paintDriving, paintViaduct, type Drive, type Way } from './drive.ts'
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
  /** Pixels from the top. */
  ground: number
  depth: number
  /** Where subjects that do not move stand: farther back than walkers. */
  standing: { ground: number; depth: number; size: number }
  /** Waterline of boats. It is missing if the place has no water. */
  afloat?: { ground: number; depth: number; size: number }
  size?: number
}

/** Layer of a painter, among a scene's three layers of subjects. */
interface Placed {
  layer: keyof PlacedSubjects
  painter: Painter | undefined
  /** Painted before the others of its layer, which stand nearer. */
  isBehind?: boolean
}

/** Turns the brief's subjects into painters for this footing. */
export function placeSubjects(stage: Stage, footing: Footing): PlacedSubjects {
  const placed = stage.brief.subjects.flatMap(
    (subject, order) => placeSubject(stage, subject, presenceOf(subject), footing, order) ?? [],
  )
  const of = (layer: keyof PlacedSubjects): (Painter | undefined)[] =>
    placed
      .filter((one) => one.layer === layer)
      .toSorted((a, b) => Number(b.isBehind ?? false) - Number(a.isBehind ?? false))
      .map(({ painter }) => painter)
  return {
    sky: together([...paintSights(stage), ...of('sky')]),
    floating: together(of('floating')),
    ground: together(of('ground')),
  }
}

function placeSubject(stage: Stage, subject: Subject, presence: Presence, footing: Footing, order: number): Placed | undefined {
  const { ground, depth, standing, afloat, size = 1 } = footing
  const { geometry, horizon } = stage
  const isWater = afloat !== undefined
  switch (presence.moves) {
    case 'walks':
      // Stadiums post their players themselves.
      if (subject.kind === 'player' && stage.brief.place === 'stadium') return undefined
      if (stage.brief.settings.has('portrait') && isPortrayed(subject))
        return { layer: 'ground', painter: paintPortrait(stage, subject, presence.model, order) }
      return { layer: 'ground', painter: paintWalkers(stage, subject, presence.model, { ground, depth, order, size }) }
    case 'stands': {
      if (presence.where === 'near') {
        const site = { ground: ground - geometry.unit * 0.014, depth, order, size, distance: 0.1, hasShadow: true }
        return { layer: 'ground', painter: paintStanding(stage, subject, presence.model, site, presence.sheds) }
      }
      const distance = Math.max(0.3, Math.min(1, 1 - (standing.ground - horizon) / (geometry.height - horizon)))
      // At the horizon of a water scene, subjects stand on the far shore, in front of the
      // reflecting water.
      const isFarShore = isWater && standing.ground - horizon < geometry.unit * 0.01
      const site = { ...standing, order, distance: isFarShore ? 0.7 : distance * 0.75, hasShadow: !isFarShore }
      // Banks cover the water's edge, so subjects on them are painted later.
      const layer = isWater && !isFarShore ? 'ground' : 'floating'
      return { layer, painter: paintStanding(stage, subject, presence.model, site), isBehind: true }
    }
    case 'spans':
      return {
        layer: 'floating',
        painter: isWater
          ? paintBridge(stage, subject, { ...standing, ground: Math.min(standing.ground, horizon + 2) })
          : paintViaduct(stage, { ...standing, size: 1.6, distance: 0.5 }, subject.colour),
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
      return swim(stage, subject, presence.model, { speed: 0.1, deep: 0.42 }, order)
    case 'floats':
      if (isWater) return { layer: 'ground', painter: paintFloating(stage, subject, presence.model, { ...afloat, order }) }
      return {
        layer: 'ground',
        painter: paintStanding(stage, subject, presence.model, { ground, depth, order, size, distance: 0.1, hasShadow: true }),
      }
    case 'swims':
      if (subject.condition === 'leaping' && isWater)
        return { layer: 'ground', painter: paintLeaping(stage, subject, presence.model, afloat) }
      if (presence.crawls && stage.brief.place !== 'underwater')
        return { layer: 'ground', painter: paintWalkers(stage, subject, presence.crawls, { ground, depth, order, size }) }
      return swim(stage, subject, presence.model, presence.stroke, order)
    case 'drives':
      return {
        layer: 'ground',
        painter: paintDriving(stage, subject, presence.model, presence.drive, wayOf(stage, footing, presence.drive)),
      }
    case 'plays':
      return ball(stage, subject, presence.model, { ground, depth, order, size })
    // Tables and podiums show what lies on them.
    default:
      return undefined
  }
}

function isPortrayed({ kind, count }: Subject): boolean {
  const entry = subjectWords[kind]
  return count === 1 && 'group' in entry && entry.group === 'people'
}

/** A person so near that the frame ends at the waist. */
function paintPortrait(stage: Stage, subject: Subject, model: Walker, order: number): Painter {
  const { height, unit } = stage.geometry
  // As high as the frame, for every kind of person.
  const size = 0.98 / model.height
  return paintWalkers(stage, { ...subject, motion: 'rests' }, model, {
    ground: height + unit * 0.46,
    depth: 0.26,
    order,
    size,
  })
}

/** A stadium paints its own ball, in play. Elsewhere the ball lies on the ground. */
function ball(
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

/** Without water, swimmers float through the air as in a dream. */
function swim(stage: Stage, subject: Subject, model: Model, stroke: Stroke, order: number): Placed {
  if (stage.brief.place === 'underwater') return { layer: 'ground', painter: paintSwimming(stage, subject, model, stroke, order) }
  const deep = (stage.horizon / stage.geometry.height) * 0.6
  return { layer: 'floating', painter: paintSwimming(stage, subject, model, { ...stroke, deep }, order) }
}

/** Roads come nearer than tracks, which cross the middle of the picture. */
function wayOf({ geometry }: Stage, { ground, depth, standing, size = 1 }: Footing, { way }: Drive): Way {
  if (way === 'track') return { ...standing, size: 1, distance: 0.5 }
  return { ground: Math.min(ground, geometry.height - geometry.unit * 0.085), depth, size, distance: 0.05 }
}
