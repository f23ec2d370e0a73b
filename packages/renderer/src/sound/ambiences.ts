import { createRandom, hashText } from '../picture/random.ts'
import type { Sound } from '../video/sound-encoder.ts'
import { BandFilter, smoothRandomWalk, whiteNoise } from './noise.ts'

/** Adds one kind of sound to the samples of `sound`. */
export type Ambience = (sound: Sound, seed: number, sampleRate: number) => void

/** Broadband air that swells with gusts, and a whistle in a higher band. */
export const wind: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [body, whistle] = [new BandFilter(1.1), new BandFilter(0.25)]
  const gust = smoothRandomWalk(random, 2.4, sampleRate)
  for (let index = 0; index < samples.length; index++) {
    const strength = gust()
    const air = noise()
    const lowBand = body.next(air, 140 + 420 * strength, sampleRate).lowPass
    const highBand = whistle.next(air, 500 + 700 * strength, sampleRate).bandPass
    add(samples, index, lowBand * (0.25 + 0.75 * strength) + highBand * 0.1 * strength * strength)
  }
})

/** A dense hiss with single drops. */
export const rain: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [hiss, rumble] = [new BandFilter(1.6), new BandFilter(1.4)]
  const density = smoothRandomWalk(random, 3, sampleRate)
  let drop = 0
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    if (random() < 90 / sampleRate) drop = 0.4 + 0.6 * random()
    drop *= 0.996
    const strength = 0.7 + 0.3 * density()
    add(
      samples,
      index,
      hiss.next(air, 5200, sampleRate).bandPass * 0.5 * strength +
        rumble.next(air, 420, sampleRate).lowPass * 0.3 +
        noise() * drop * drop * 0.5,
    )
  }
})

/** Waves that run up, break and draw back. Each wave has its own duration. */
export const waves: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [deep, foam] = [new BandFilter(1.2), new BandFilter(1.5)]
  const [swell, backwash] = [smoothRandomWalk(random, 2.2, sampleRate), smoothRandomWalk(random, 3.1, sampleRate)]
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    const height = swell()
    const crest = height * height
    const lowBand = deep.next(air, 220 + 480 * height, sampleRate).lowPass
    const highBand = foam.next(air, 1800 + 2200 * crest, sampleRate).bandPass
    add(samples, index, lowBand * (0.2 + 0.8 * height) + highBand * (0.55 * crest + 0.08 * backwash()))
  }
})

/** A brook: bubbles of many sizes over stones. */
export const brook: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [body, splash] = [new BandFilter(1.2), new BandFilter(1.4)]
  const flow = smoothRandomWalk(random, 1.4, sampleRate)
  const bubbles = Array.from({ length: 9 }, () => ({ phase: 0, pitchHz: 0, strength: 0 }))
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    let sum =
      body.next(air, 520, sampleRate).bandPass * 0.16 + splash.next(air, 2600, sampleRate).bandPass * (0.05 + 0.05 * flow())
    for (const bubble of bubbles) {
      if (bubble.strength < 0.004 && random() < 9 / sampleRate) {
        bubble.pitchHz = 320 + 1500 * random() ** 2
        bubble.strength = 0.05 + 0.12 * random()
        bubble.phase = 0
      }
      // The pitch of a bubble rises as it closes.
      bubble.pitchHz *= 1 + 3 / sampleRate
      bubble.phase += (2 * Math.PI * bubble.pitchHz) / sampleRate
      bubble.strength *= 1 - 26 / sampleRate
      sum += Math.sin(bubble.phase) * bubble.strength
    }
    add(samples, index, sum)
  }
})

/** Water that falls from a great height, without a pause. */
export const fallingWater: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [thunder, body, spray] = [new BandFilter(1), new BandFilter(1.5), new BandFilter(1.5)]
  const [heavy, light] = [smoothRandomWalk(random, 1.8, sampleRate), smoothRandomWalk(random, 0.9, sampleRate)]
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    const lowBand = thunder.next(air, 150, sampleRate).lowPass * (0.7 + 0.3 * heavy())
    const highBand = spray.next(air, 3600, sampleRate).bandPass * (0.16 + 0.1 * light())
    add(samples, index, lowBand + body.next(air, 800, sampleRate).bandPass * 0.4 + highBand)
  }
})

/** A quiet room: the sound of its air, and a clock. */
export const roomTone: Ambience = (sound, seed, sampleRate) => {
  roomAir(sound, seed, sampleRate)
  const random = createRandom(hashText('clock', seed))
  const pan = 0.3 + 0.4 * random()
  const tickHz = 1700 + 600 * random()
  const beatSamples = sampleRate * 0.5
  for (let beat = 0; beat * beatSamples < sound.left.length; beat++) {
    const amplitude = beat % 2 ? 0.05 : 0.065
    for (let step = 0; step < sampleRate * 0.03; step++) {
      const sample =
        Math.sin((2 * Math.PI * tickHz * (beat % 2 ? 0.86 : 1) * step) / sampleRate) *
        Math.exp((-step / sampleRate) * 190) *
        Math.min(1, step / 24) *
        amplitude
      const index = Math.round(beat * beatSamples) + step
      if (index >= sound.left.length) break
      add(sound.left, index, sample * (1 - pan))
      add(sound.right, index, sample * pan)
    }
  }
}

/** Crickets at different distances, over a light breeze. */
export const nightCrickets: Ambience = (sound, seed, sampleRate) => {
  breeze(sound, seed, sampleRate)
  const random = createRandom(hashText('crickets', seed))
  for (let cricket = 0; cricket < 7; cricket++) {
    const pan = random()
    const amplitude = 0.03 + 0.09 * random() * random()
    const pitchHz = 3900 + 1200 * random()
    const pulsesPerSecond = 22 + 12 * random()
    const [chirpSeconds, restSeconds] = [0.25 + 0.4 * random(), 0.15 + 0.7 * random()]
    const offsetSeconds = random() * 2
    for (let index = 0; index < sound.left.length; index++) {
      const seconds = index / sampleRate + offsetSeconds
      const chirpShare = (seconds % (chirpSeconds + restSeconds)) / chirpSeconds
      if (chirpShare >= 1) continue
      const pulse = Math.max(0, Math.sin(2 * Math.PI * pulsesPerSecond * seconds)) * Math.sin(Math.PI * chirpShare)
      const sample = Math.sin(2 * Math.PI * pitchHz * seconds) * pulse * amplitude
      add(sound.left, index, sample * (1 - pan))
      add(sound.right, index, sample * pan)
    }
  }
}

/** Occasional bird calls over moving leaves. */
export const birdsong: Ambience = (sound, seed, sampleRate) => {
  breeze(sound, seed, sampleRate)
  const random = createRandom(hashText('birds', seed))
  const { left, right } = sound
  for (
    let startSample = random() * 0.4 * sampleRate;
    startSample < left.length;
    startSample += (0.25 + 1.1 * random()) * sampleRate
  ) {
    const pan = random()
    const [pitchHz, bendHz] = [2200 + 2600 * random(), -900 + 2200 * random()]
    const amplitude = 0.05 + 0.2 * random() * random()
    const noteCount = 1 + Math.floor(4 * random())
    const noteSamples = Math.round((0.05 + 0.09 * random()) * sampleRate)
    for (let note = 0; note < noteCount; note++) {
      const start = Math.round(startSample + note * noteSamples * 1.4)
      let phase = 0
      for (let step = 0; step < noteSamples && start + step < left.length; step++) {
        const noteShare = step / noteSamples
        phase += (2 * Math.PI * (pitchHz + bendHz * noteShare + 120 * Math.sin(40 * noteShare))) / sampleRate
        const sample = Math.sin(phase) * Math.sin(Math.PI * noteShare) ** 2 * amplitude
        add(left, start + step, sample * (1 - pan))
        add(right, start + step, sample * pan)
      }
    }
  }
}

/** The hum of a city far below, with passing traffic. */
export const cityHum: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [ground, tires] = [new BandFilter(0.9), new BandFilter(1.2)]
  const [traffic, passing] = [smoothRandomWalk(random, 3.5, sampleRate), smoothRandomWalk(random, 1.6, sampleRate)]
  const humHz = 48 + 8 * random()
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    const passingShare = passing() ** 3
    const lowBand = ground.next(air, 110 + 90 * traffic(), sampleRate).lowPass
    const road = tires.next(air, 500 + 900 * passingShare, sampleRate).bandPass
    const hum = Math.sin((2 * Math.PI * humHz * index) / sampleRate) * 0.05
    add(samples, index, lowBand + road * (0.05 + 0.25 * passingShare) + hum)
  }
})

/** A fire: a soft roar and crackling. */
export const fire: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [roar, snap] = [new BandFilter(1.2), new BandFilter(0.5)]
  const flicker = smoothRandomWalk(random, 0.35, sampleRate)
  let crackle = 0
  for (let index = 0; index < samples.length; index++) {
    const air = noise()
    if (random() < 14 / sampleRate) crackle = 0.3 + 0.7 * random()
    crackle *= 0.9985
    const lowBand = roar.next(air, 160 + 160 * flicker(), sampleRate).lowPass
    add(samples, index, lowBand * (0.4 + 0.5 * flicker()) + snap.next(air * crackle * crackle, 2600, sampleRate).bandPass * 0.5)
  }
})

/** A slow chord without an attack, for space, water and motifs that are not places. */
export const deepDrone: Ambience = (sound, seed, sampleRate) => {
  const random = createRandom(hashText('drone', seed))
  const groundHz = 48 + 18 * random()
  for (const ratio of [1, 1.5, 2, 3, 4.02, 6.01]) {
    const [leftHz, rightHz] = [groundHz * ratio * 0.9985, groundHz * ratio * 1.0015]
    const breath = smoothRandomWalk(random, 3, sampleRate)
    const phase = random() * 2 * Math.PI
    for (let index = 0; index < sound.left.length; index++) {
      const amplitude = (0.25 + 0.75 * breath()) / (ratio + 1)
      add(sound.left, index, Math.sin((2 * Math.PI * leftHz * index) / sampleRate + phase) * amplitude)
      add(sound.right, index, Math.sin((2 * Math.PI * rightHz * index) / sampleRate + phase) * amplitude)
    }
  }
}

const roomAir: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [lowFilter, softFilter] = [new BandFilter(1.1), new BandFilter(1.5)]
  const breath = smoothRandomWalk(random, 3, sampleRate)
  for (let index = 0; index < samples.length; index++) {
    const sample = noise()
    add(
      samples,
      index,
      lowFilter.next(sample, 150, sampleRate).lowPass * 0.14 +
        softFilter.next(sample, 900, sampleRate).bandPass * 0.02 * (0.6 + 0.4 * breath()),
    )
  }
})

const breeze: Ambience = stereoAmbience((samples, random, sampleRate) => {
  const noise = whiteNoise(random)
  const [air, leaves] = [new BandFilter(1.2), new BandFilter(1.6)]
  const gust = smoothRandomWalk(random, 2.8, sampleRate)
  for (let index = 0; index < samples.length; index++) {
    const sample = noise()
    const strength = gust()
    add(
      samples,
      index,
      air.next(sample, 260, sampleRate).lowPass * 0.12 +
        leaves.next(sample, 3200, sampleRate).bandPass * 0.05 * (0.3 + strength * strength),
    )
  }
})

function add(samples: Float32Array, index: number, sample: number): void {
  samples[index] = (samples[index] ?? 0) + sample
}

/** Returns an ambience with different random numbers on each side, which makes it sound wide. */
function stereoAmbience(addTo: (samples: Float32Array, random: () => number, sampleRate: number) => void): Ambience {
  return ({ left, right }, seed, sampleRate) => {
    addTo(left, createRandom(hashText('left', seed)), sampleRate)
    addTo(right, createRandom(hashText('right', seed)), sampleRate)
  }
}
