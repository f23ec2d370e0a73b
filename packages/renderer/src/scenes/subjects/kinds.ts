import { hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { SubjectKind } from '../prompt/subject-words.ts'
import type { Drive } from './drive.ts'
import { airplane, helicopter, ufo } from './figures/aircraft.ts'
import { astronaut } from './figures/astronaut.ts'
import { ballOf } from './figures/ball.ts'
import { balloon } from './figures/balloon.ts'
import { book, candle, can, headphones, jar, jewel, perfume, phone, product, shoe, vase, watch } from './figures/belongings.ts'
import { bicycle } from './figures/bicycle.ts'
import { crow, eagle, flyingBird, gull, swallow } from './figures/bird.ts'
import { boat } from './figures/boat.ts'
import { skateboarder, snowGlider, surfer } from './figures/boarder.ts'
import { butterfly } from './figures/butterfly.ts'
import { cactus } from './figures/cactus.ts'
import { campfire } from './figures/campfire.ts'
import { car } from './figures/car.ts'
import { castle } from './figures/castle.ts'
import { couple, dancer, wedding } from './figures/dancers.ts'
import { dinosaur } from './figures/dinosaur.ts'
import { bread, burger, cake, fries, fruit, icecream, pancakes, pizza, sushi, vegetables } from './figures/dishes.ts'
import { dolphin } from './figures/dolphin.ts'
import { dragon, fireDragon } from './figures/dragon.ts'
import { elephant } from './figures/elephant.ts'
import { fish, goldfish } from './figures/fish.ts'
import { flamingo } from './figures/flamingo.ts'
import { house } from './figures/house.ts'
import { iceberg } from './figures/iceberg.ts'
import { jellyfish } from './figures/jellyfish.ts'
import { keep, ruin } from './figures/keep.ts'
import { kite } from './figures/kite.ts'
import { lantern } from './figures/lantern.ts'
import { lighthouse } from './figures/lighthouse.ts'
import { octopus } from './figures/octopus.ts'
import { owl } from './figures/owl.ts'
import { pagoda } from './figures/pagoda.ts'
import { palm } from './figures/palm.ts'
import { penguin } from './figures/penguin.ts'
import { walkingPerson } from './figures/person.ts'
import { pyramid } from './figures/pyramid.ts'
import { rabbit } from './figures/rabbit.ts'
import { robot } from './figures/robot.ts'
import { rocket } from './figures/rocket.ts'
import { ship } from './figures/ship.ts'
import { snowman } from './figures/snowman.ts'
import { steamTrain } from './figures/steam-train.ts'
import { swan } from './figures/swan.ts'
import { tower } from './figures/tower.ts'
import { tractor } from './figures/tractor.ts'
import { walkingTrade } from './figures/trades.ts'
import { train } from './figures/train.ts'
import { tree } from './figures/tree.ts'
import { turtle } from './figures/turtle.ts'
import { umbrellaWalker } from './figures/umbrella.ts'
import { bottle, cup, noodles, tumbler, wine } from './figures/vessels.ts'
import { whale } from './figures/whale.ts'
import { windmill } from './figures/windmill.ts'
import type { Flocking } from './flock-together.ts'
import type { Flight } from './fly.ts'
import { gaits, strideLength } from './gait.ts'
import type { Model } from './model.ts'
import { drawQuadruped } from './quadruped.ts'
import { ursine } from './builds.ts'
import { drawSitting } from './sitting.ts'
import { species, type Species, type SpeciesName } from './species.ts'
import type { Stroke } from './swim.ts'
import type { Walker } from './walk.ts'

/** Behavior of a kind of subject in a scene. */
export type Presence =
  | { moves: 'walks'; model: Walker }
  /**
   * `far`: the subject stands at `Footing.standing`, farther back than walkers. `near`: in the
   * foreground.
   */
  | { moves: 'stands'; model: Model; where: 'far' | 'near'; hasSparks?: true }
  | { moves: 'hovers' | 'rises' | 'climbs' | 'flutters' | 'leaps' | 'floats'; model: Model }
  /** `lies`: on a table or podium. `plays`: a ball, which moves in a stadium and lies elsewhere. */
  | { moves: 'lies' | 'plays'; model: Model }
  | { moves: 'flies'; model: Model; flight: Flight }
  /**
   * `crawler`: the model that walks on land. Other swimmers float through the air there, as in a
   * dream.
   */
  | { moves: 'swims'; model: Model; stroke: Stroke; crawler?: Walker }
  | { moves: 'drives'; model: Model; drive: Drive }
  | { moves: 'flocks'; model: Model; flocking: Flocking }
  | { moves: 'spans' }

/** Presences of all subjects that are not drawn from a `Species`. */
const otherPresences: Record<Exclude<SubjectKind, SpeciesName>, Presence> = {
  person: { moves: 'walks', model: walkingPerson('coat') },
  man: { moves: 'walks', model: walkingPerson('coat') },
  woman: { moves: 'walks', model: walkingPerson('dress') },
  child: { moves: 'walks', model: walkingPerson('child') },
  bride: { moves: 'walks', model: walkingPerson('gown') },
  groom: { moves: 'walks', model: walkingPerson('suit') },
  player: { moves: 'walks', model: walkingPerson('kit') },
  knight: { moves: 'walks', model: walkingTrade('knight') },
  samurai: { moves: 'walks', model: walkingTrade('samurai') },
  king: { moves: 'walks', model: walkingTrade('king') },
  queen: { moves: 'walks', model: walkingTrade('queen') },
  wizard: { moves: 'walks', model: walkingTrade('wizard') },
  cowboy: { moves: 'walks', model: walkingTrade('cowboy') },
  chef: { moves: 'walks', model: walkingTrade('chef') },
  artisan: { moves: 'walks', model: walkingTrade('artisan') },
  firefighter: { moves: 'walks', model: walkingTrade('firefighter') },
  medic: { moves: 'walks', model: walkingTrade('medic') },
  snowboarder: { moves: 'walks', model: snowGlider('board') },
  skier: { moves: 'walks', model: snowGlider('skis') },
  umbrella: { moves: 'walks', model: umbrellaWalker },
  robot: { moves: 'walks', model: robot },
  astronaut: { moves: 'walks', model: astronaut },
  elephant: { moves: 'walks', model: elephant },
  rabbit: { moves: 'walks', model: rabbit },
  penguin: { moves: 'walks', model: penguin },
  dinosaur: { moves: 'walks', model: dinosaur },
  dancer: { moves: 'stands', model: dancer, where: 'near' },
  couple: { moves: 'stands', model: couple, where: 'near' },
  wedding: { moves: 'stands', model: wedding, where: 'near' },
  flamingo: { moves: 'stands', model: flamingo, where: 'near' },
  owl: { moves: 'stands', model: owl, where: 'near' },
  snowman: { moves: 'stands', model: snowman, where: 'near' },
  campfire: { moves: 'stands', model: campfire, where: 'near', hasSparks: true },
  palm: { moves: 'stands', model: palm, where: 'near' },
  cactus: { moves: 'stands', model: cactus, where: 'near' },
  house: { moves: 'stands', model: house, where: 'far' },
  tree: { moves: 'stands', model: tree, where: 'far' },
  iceberg: { moves: 'stands', model: iceberg, where: 'far' },
  pyramid: { moves: 'stands', model: pyramid, where: 'far' },
  windmill: { moves: 'stands', model: windmill, where: 'far' },
  lighthouse: { moves: 'stands', model: lighthouse, where: 'far' },
  castle: { moves: 'stands', model: castle, where: 'far' },
  pagoda: { moves: 'stands', model: pagoda, where: 'far' },
  tower: { moves: 'stands', model: tower, where: 'far' },
  keep: { moves: 'stands', model: keep, where: 'far' },
  ruin: { moves: 'stands', model: ruin, where: 'far' },
  bridge: { moves: 'spans' },
  bird: {
    moves: 'flocks',
    model: flyingBird(swallow, { height: 0.1, pace: 2.1, glideShare: 0.25 }),
    flocking: { few: 5, many: 15, formation: 'wedge', speed: 0.07 },
  },
  gull: {
    moves: 'flocks',
    model: flyingBird(gull, { height: 0.17, pace: 0.9, glideShare: 0.45 }),
    flocking: { few: 4, many: 9, formation: 'loose', speed: 0.04 },
  },
  crow: {
    moves: 'flocks',
    model: flyingBird(crow, { height: 0.14, pace: 1.5, glideShare: 0.2 }),
    flocking: { few: 5, many: 13, formation: 'loose', speed: 0.05 },
  },
  eagle: {
    moves: 'flocks',
    model: flyingBird(eagle, { height: 0.26, pace: 0.55, glideShare: 0.55 }),
    flocking: { few: 2, many: 4, formation: 'circling', speed: 0.05 },
  },
  butterfly: { moves: 'flutters', model: butterfly },
  balloon: { moves: 'hovers', model: balloon },
  kite: { moves: 'hovers', model: kite },
  ufo: { moves: 'hovers', model: ufo },
  lantern: { moves: 'rises', model: lantern },
  rocket: { moves: 'climbs', model: rocket },
  dragon: { moves: 'flies', model: dragon, flight: { speed: 0.1, skyShare: 0.34, heave: 0.012 } },
  airplane: { moves: 'flies', model: airplane, flight: { speed: 0.13, skyShare: 0.3, heave: 0.003 } },
  helicopter: { moves: 'flies', model: helicopter, flight: { speed: 0.07, skyShare: 0.42, heave: 0.008 } },
  boat: { moves: 'floats', model: boat },
  ship: { moves: 'floats', model: ship },
  surfer: { moves: 'floats', model: surfer },
  swan: { moves: 'floats', model: swan },
  dolphin: { moves: 'leaps', model: dolphin },
  fish: { moves: 'swims', model: fish, stroke: { speed: 0.075, heightShare: 0.5, countMin: 3 } },
  goldfish: { moves: 'swims', model: goldfish, stroke: { speed: 0.05, heightShare: 0.52, countMin: 3 } },
  whale: { moves: 'swims', model: whale, stroke: { speed: 0.06, heightShare: 0.42 } },
  turtle: {
    moves: 'swims',
    model: turtle,
    stroke: { speed: 0.05, heightShare: 0.46, pulse: 0.006 },
    crawler: {
      ...turtle,
      reach: { side: 0.66, up: 0.62, down: 0.12 },
      stride: 0.2,
      pace: 0.4,
      draw: (figure, phase, look) => figure.pose({ lift: 0.2 }, () => turtle.draw(figure, phase, look)),
    },
  },
  jellyfish: { moves: 'swims', model: jellyfish, stroke: { speed: 0.008, heightShare: 0.4, countMin: 3, pulse: 0.02 } },
  octopus: { moves: 'swims', model: octopus, stroke: { speed: 0.02, heightShare: 0.52, pulse: 0.006 } },
  car: { moves: 'drives', model: car, drive: { speed: 0.2, route: 'road', countMax: 4 } },
  tractor: { moves: 'drives', model: tractor, drive: { speed: 0.09, route: 'road', countMax: 3 } },
  skateboarder: { moves: 'drives', model: skateboarder, drive: { speed: 0.16, route: 'road', countMax: 3 } },
  bicycle: { moves: 'drives', model: bicycle, drive: { speed: 0.11, route: 'road', countMax: 4 } },
  train: { moves: 'drives', model: train, drive: { speed: 0.34, route: 'track', countMax: 1 } },
  steamtrain: { moves: 'drives', model: steamTrain, drive: { speed: 0.2, route: 'track', countMax: 1 } },
  ball: { moves: 'plays', model: ballOf('soccer') },
  cup: { moves: 'lies', model: cup },
  noodles: { moves: 'lies', model: noodles },
  fruit: { moves: 'lies', model: fruit },
  vegetables: { moves: 'lies', model: vegetables },
  cake: { moves: 'lies', model: cake },
  pancakes: { moves: 'lies', model: pancakes },
  burger: { moves: 'lies', model: burger },
  fries: { moves: 'lies', model: fries },
  pizza: { moves: 'lies', model: pizza },
  sushi: { moves: 'lies', model: sushi },
  bread: { moves: 'lies', model: bread },
  icecream: { moves: 'lies', model: icecream },
  tumbler: { moves: 'lies', model: tumbler },
  wine: { moves: 'lies', model: wine },
  bottle: { moves: 'lies', model: bottle },
  book: { moves: 'lies', model: book },
  candle: { moves: 'lies', model: candle },
  vase: { moves: 'lies', model: vase },
  perfume: { moves: 'lies', model: perfume },
  watch: { moves: 'lies', model: watch },
  shoe: { moves: 'lies', model: shoe },
  phone: { moves: 'lies', model: phone },
  headphones: { moves: 'lies', model: headphones },
  jar: { moves: 'lies', model: jar },
  can: { moves: 'lies', model: can },
  jewel: { moves: 'lies', model: jewel },
  product: { moves: 'lies', model: product },
}

export function presenceOf(subject: Subject): Presence {
  const { kind, condition } = subject
  if (kind === 'dragon' && condition === 'breathing fire')
    return { moves: 'flies', model: fireDragon, flight: { speed: 0.05, skyShare: 0.36, heave: 0.012 } }
  return isSpecies(kind) ? { moves: 'walks', model: walkingAnimal(kind, subject) } : otherPresences[kind]
}

/**
 * Returns whether a subject stands or walks in the foreground, so that it needs ground below it.
 */
export function needsGround(subjects: readonly Subject[]): boolean {
  return subjects.some((subject) => {
    const presence = presenceOf(subject)
    return presence.moves === 'walks' || (presence.moves === 'stands' && presence.where === 'near')
  })
}

/** Returns whether a subject may be so high that the scene's own birds would overlap it. */
export function reachesIntoSky(subjects: readonly Subject[]): boolean {
  return subjects.some((subject) => {
    const presence = presenceOf(subject)
    if (presence.moves === 'stands') return presence.where === 'far'
    return !['walks', 'drives', 'floats', 'leaps', 'swims', 'lies', 'plays'].includes(presence.moves)
  })
}

function isSpecies(kind: SubjectKind): kind is SpeciesName {
  return kind in species
}

function walkingAnimal(name: SpeciesName, { color, motion, rider }: Subject): Walker {
  const animal: Species = species[name]
  const headroom = animal.crown === 'antlers' ? 2.12 : animal.crown === 'horn' ? 1.85 : animal.mane ? 1.72 : 1.56
  return {
    height: animal.height,
    reach: {
      side: animal.tail === 'brush' || animal.tail === 'whip' ? 1.5 : 1.3,
      up: Math.max(headroom, rider ? 1.95 : 0) + (motion === 'runs' ? 0.16 : 0),
      down: 0.08,
    },
    cycle: { poseCount: 12, pace: animal.pace },
    stride: strideLength(gaits[animal.gait]),
    pace: animal.pace,
    run: { stride: strideLength(gaits.gallop), pace: 1.5 },
    isBreathing: true,
    variantCount: animal.coats ? animal.coats.length + 1 : 1,
    draw(figure, phase, { variant }) {
      const coat = color ?? (variant > 0 ? animal.coats?.[variant - 1] : undefined)
      const coloredAnimal = coat ? withCoat(animal, coat) : animal
      if (motion === 'sits' && animal.foot === 'paw' && animal.build !== ursine) drawSitting(figure, coloredAnimal, phase)
      else drawQuadruped(figure, coloredAnimal, phase, { motion, rider })
    },
  }
}

/** Returns the same animal in another color. A fox in a red color keeps its natural color. */
function withCoat(animal: Species, coat: Rgb): Species {
  if (animal === species.fox && coat[0] > coat[1] * 1.5 && coat[0] > coat[2] * 1.5) return animal
  return {
    ...animal,
    coat,
    dark: animal.pattern ? animal.dark : mixRgb(animal.dark, coat, 0.25),
    light: mixRgb(mixRgb(animal.light, coat, 0.2), hex('#ffffff'), 0.1),
  }
}
