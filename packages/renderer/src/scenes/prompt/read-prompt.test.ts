import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPrompt } from './read-prompt.ts'

describe('readPrompt', () => {
  it('readPrompt finds place, time, weather and subject', () => {
    const brief = readPrompt('A lone deer in a foggy forest at dawn')
    expect(brief).toMatchObject({ place: 'forest', time: 'dawn', weather: 'fog' })
    expect(brief.subjects).toMatchObject([{ kind: 'deer', count: 1 }])
  })

  it('readPrompt finds the subject, color, place and weather of a red fox in the snow', () => {
    const brief = readPrompt('a red fox in the snow')
    expect(brief).toMatchObject({ place: 'snowfield', weather: 'snow' })
    expect(brief.subjects).toMatchObject([{ kind: 'fox', count: 1 }])
    expect(brief.subjects[0]?.color).toBeDefined()
    expect(brief.colors).toEqual([])
  })

  it('a color applies to the subject right after it, and without such a subject to the image', () => {
    const brief = readPrompt('a white horse, purple sky over the desert')
    expect(brief.subjects[0]?.color).toEqual([240, 236, 230])
    expect(brief.colors).toEqual([[122, 79, 184]])
  })

  it('readPrompt understands plurals and numbers', () => {
    expect(readPrompt('three wolves').subjects).toMatchObject([{ kind: 'wolf', count: 3 }])
    expect(readPrompt('two foxes').subjects).toMatchObject([{ kind: 'fox', count: 2 }])
  })

  it.each([
    ['horses on a meadow', 3],
    ['7 horses', 7],
    ['a pair of horses', 2],
    ['a herd of wild horses', 5],
    ['two horses', 2],
    ['a horse', 1],
    ['三匹马', 3],
    ['一群马', 5],
    ['photo, 16:9, 8k, horse', 1],
    ['f/2.8 photograph of a horse, 4k, 120 fps', 1],
  ])('readPrompt counts the horses in %j', (prompt, count) => {
    expect(readPrompt(prompt).subjects).toMatchObject([{ kind: 'horse', count }])
  })

  it.each(['people walking', 'men', 'women in the city', 'five children', 'wolves', 'foxes', 'ponies', 'geese'])(
    'readPrompt gives the subject in %j a count above 1',
    (prompt) => {
      expect(readPrompt(prompt).subjects[0]?.count).toBeGreaterThan(1)
    },
  )

  it('the word "golden" means the coat in "golden dog", and the golden hour elsewhere', () => {
    const gold = [232, 181, 60]
    expect(readPrompt('a golden dog at noon')).toMatchObject({ time: 'day', subjects: [{ kind: 'dog', color: gold }] })
    expect(readPrompt('golden light over the lake')).toMatchObject({ time: 'dusk', colors: [] })
    expect(readPrompt('a fox at golden hour')).toMatchObject({ time: 'dusk', subjects: [{ color: undefined }] })
  })

  it('the words "black and white" are read as a style and not as a color', () => {
    const brief = readPrompt('a black and white photo of a cat')
    expect(brief).toMatchObject({ style: 'mono', colors: [], subjects: [{ kind: 'cat', color: undefined }] })
    expect(readPrompt('a black and white cat').subjects).toMatchObject([{ kind: 'cat', color: undefined }])
  })

  it('readPrompt ignores a color that the named part of the scene has by nature', () => {
    for (const prompt of ['a green meadow under a blue sky', 'blue ocean', 'white snow', 'a woman with black hair, green eyes'])
      expect(readPrompt(prompt).colors).toEqual([])
    expect(readPrompt('a pink lake').colors).toHaveLength(1)
    expect(readPrompt('a red and white lighthouse')).toMatchObject({ colors: [], subjects: [{ color: [200, 69, 42] }] })
  })

  it('a person gets the color of the clothes', () => {
    for (const prompt of ['a woman in a red dress on the beach', 'a girl wearing a red coat', '穿红色大衣的女孩'])
      expect(readPrompt(prompt)).toMatchObject({ colors: [], subjects: [{ kind: 'woman', color: [200, 69, 42] }] })
  })

  it.each([
    ['sleeping under the stars', { time: 'night', place: 'lake' }],
    ['amber waves of grain', { place: 'meadow', colors: [] }],
    ['waves of grain in the wind', { place: 'meadow' }],
    ['northern lights', { time: 'night', sights: new Set(['aurora']) }],
    ['a goldfish', { place: 'underwater', subjects: [{ kind: 'goldfish', color: undefined }] }],
    ["bird's-eye view of a city", { place: 'city', subjects: [] }],
    ['crane shot over a lake', { place: 'lake', subjects: [] }],
    ['the deep blue sea, underwater', { place: 'underwater' }],
    ['a rock star in the city at noon', { time: 'day', place: 'city' }],
  ])('readPrompt reads the ambiguous words in %j correctly', (prompt, brief) => {
    expect(readPrompt(prompt)).toMatchObject(brief)
  })

  it.each([
    ['机器人', 'robot'],
    ['宇航员', 'astronaut'],
    ['一条龙', 'dragon'],
    ['恐龙', 'dinosaur'],
    ['大象', 'elephant'],
    ['骆驼', 'camel'],
    ['兔子', 'rabbit'],
    ['蝴蝶', 'butterfly'],
    ['企鹅', 'penguin'],
    ['海龟', 'turtle'],
    ['水母', 'jellyfish'],
    ['海豚', 'dolphin'],
    ['自行车', 'bicycle'],
    ['飞机', 'airplane'],
    ['风车', 'windmill'],
    ['宝塔', 'pagoda'],
    ['风筝', 'kite'],
    ['灯笼', 'lantern'],
    ['熊猫', 'panda'],
    ['独角兽', 'unicorn'],
    ['雪人', 'snowman'],
    ['a T-Rex', 'dinosaur'],
    ['hot-air balloons', 'balloon'],
    ['flying saucers', 'ufo'],
    ['the Eiffel Tower', 'tower'],
    ['palm trees', 'palm'],
    ['butterflies', 'butterfly'],
    ['geese', 'bird'],
    ['seagulls', 'gull'],
    ['老鹰', 'eagle'],
    ['骑士', 'knight'],
    ['厨师', 'chef'],
    ['冰山', 'iceberg'],
    ['金字塔', 'pyramid'],
  ])('readPrompt finds only the subject in %j: %s', (prompt, kind) => {
    expect(readPrompt(prompt).subjects.map((subject) => subject.kind)).toEqual([kind])
  })

  it('a person who holds an umbrella, rides a bicycle or dances in a couple is not drawn twice', () => {
    for (const [prompt, kind] of [
      ['a woman with a red umbrella', 'umbrella'],
      ['a man riding a bicycle', 'bicycle'],
      ['a couple dancing in the rain', 'couple'],
    ])
      expect(readPrompt(prompt ?? '').subjects.map((subject) => subject.kind)).toEqual([kind])
  })

  it('the negative prompt "people" removes all people, and "animals" removes all animals', () => {
    expect(readPrompt('a woman, a child and a house', 'people').subjects).toMatchObject([{ kind: 'house' }])
    expect(readPrompt('a woman, a fox and two owls', 'animals').subjects).toMatchObject([{ kind: 'woman' }])
  })

  it('a word for abstract art, such as "marble", is ignored as the place if the prompt names a subject', () => {
    expect(readPrompt('a marble palace')).toMatchObject({ place: 'lake', subjects: [{ kind: 'castle' }] })
    expect(readPrompt('abstract fluid marble')).toMatchObject({ place: 'abstract', subjects: [] })
  })

  it('a rider belongs to the subject that it rides', () => {
    expect(readPrompt('an astronaut riding a horse')).toMatchObject({
      place: 'space',
      subjects: [{ kind: 'horse', rider: { kind: 'astronaut' } }],
    })
    expect(readPrompt('a girl in a red dress on horseback, a white horse').subjects).toMatchObject([
      { kind: 'horse', color: [240, 236, 230], rider: { kind: 'woman', color: [200, 69, 42] } },
    ])
    expect(readPrompt('horse riding').subjects).toMatchObject([{ kind: 'horse', rider: { kind: 'man' } }])
    expect(readPrompt('a man and a horse').subjects).toHaveLength(2)
  })

  it('readPrompt distinguishes subjects that run and subjects that sit', () => {
    expect(readPrompt('a horse galloping along the beach').subjects).toMatchObject([{ kind: 'horse', motion: 'runs' }])
    expect(readPrompt('a cat sitting on a wall').subjects).toMatchObject([{ kind: 'cat', motion: 'sits' }])
    expect(readPrompt('奔跑的狼').subjects).toMatchObject([{ kind: 'wolf', motion: 'runs' }])
    expect(readPrompt('a wolf').subjects[0]?.motion).toBeUndefined()
  })

  it('the words "dark" and "northern" alone do not mean night', () => {
    for (const prompt of ['a dark castle', 'northern Spain, a lake', 'a forest, dark and moody'])
      expect(readPrompt(prompt).time, prompt).not.toBe('night')
    expect(readPrompt('a castle under a dark sky').time).toBe('night')
  })

  it('readPrompt understands common Chinese words', () => {
    const brief = readPrompt('雪地里的红色狐狸，黄昏')
    expect(brief).toMatchObject({ place: 'snowfield', time: 'dusk', weather: 'snow' })
    expect(brief.subjects[0]).toMatchObject({ kind: 'fox', color: [200, 69, 42] })
    expect(readPrompt('夜晚的城市，下雨')).toMatchObject({ place: 'city', time: 'night', weather: 'rain' })
  })

  it.each([
    ['a sky full of stars', { place: 'sky', time: 'night' }],
    ['月光下的湖', { place: 'lake', time: 'night' }],
    ['northern lights over the mountains', { place: 'mountains', time: 'night', sights: new Set(['aurora']) }],
    ['a thunderstorm over the ocean', { place: 'sea', weather: 'rain', sights: new Set(['lightning']) }],
    ['autumn forest', { place: 'forest', season: 'autumn' }],
    ['春天', { place: 'meadow', season: 'spring' }],
    ['winter', { place: 'snowfield', weather: 'snow' }],
    ['雨后的彩虹', { time: 'day', sights: new Set(['rainbow']) }],
    ['a red car driving through the desert', { place: 'desert', subjects: [{ kind: 'car', color: [200, 69, 42] }] }],
    ['a whale in the ocean', { place: 'underwater', subjects: [{ kind: 'whale' }] }],
    ['two fish in a coral reef', { place: 'underwater', subjects: [{ kind: 'fish', count: 2 }], colors: [] }],
    ['pixel art of a castle', { style: 'pixel', subjects: [{ kind: 'castle' }] }],
    ['neon desert', { place: 'desert', style: 'neon', time: 'night' }],
    ['cyberpunk', { place: 'city', style: 'neon' }],
    ['a black and white car', { style: 'mono', subjects: [{ kind: 'car', color: undefined }], colors: [] }],
    ['black-and-white lake', { style: 'mono', colors: [] }],
    ['a black & white photograph of a horse', { style: 'mono', subjects: [{ kind: 'horse', color: undefined }] }],
    ['a black horse and a white horse', { style: undefined, subjects: [{ kind: 'horse', color: [36, 34, 42] }] }],
    ['black, and white flowers', { style: undefined }],
    ['an oil painting of a horse', { style: 'oil', subjects: [{ kind: 'horse' }] }],
    ['oil on canvas, lake', { style: 'oil' }],
    ['an oil tanker at sea', { style: undefined, place: 'sea' }],
    ['油画 森林', { style: 'oil', place: 'forest' }],
    ['aquarelle of the sea', { style: 'watercolour', place: 'sea' }],
    ['a water-color lake', { style: 'watercolour' }],
    ['水彩画，湖', { style: 'watercolour', place: 'lake' }],
    ['paper cut of a fox', { style: 'papercut', subjects: [{ kind: 'fox' }] }],
    ['papercraft sea', { style: 'papercut', place: 'sea' }],
    ['剪纸风格的山', { style: 'papercut' }],
    [
      'a minimalist desert with clouds',
      { style: 'minimal', place: 'desert', omittedParts: new Set(['clouds', 'birds', 'stars', 'mist']) },
    ],
    ['极简 海', { style: 'minimal', place: 'sea' }],
    ['cyberpunk with a red car', { style: 'neon', place: 'street', subjects: [{ kind: 'car' }] }],
    ['a neon whale', { style: 'neon', place: 'underwater' }],
    ['film noir city', { style: 'mono' }],
    ['水墨山水', { place: 'lake', style: 'ink' }],
    ['a field of red tulips', { place: 'meadow', sights: new Set(['flowers']) }],
    ['樱花树', { place: 'meadow', season: 'spring', subjects: [{ kind: 'tree' }] }],
    ['a spaceship', { place: 'space', subjects: [{ kind: 'rocket' }] }],
    ['雪地里的火车', { place: 'snowfield', subjects: [{ kind: 'train' }] }],
    ['a castle and a bridge', { subjects: [{ kind: 'castle' }, { kind: 'bridge' }] }],
    ['the surface of the moon', { place: 'space', settings: new Set(['moonscape']) }],
    ['the milky way', { place: 'space', settings: new Set(['galaxy']) }],
    ['火星', { place: 'space', settings: new Set(['mars']) }],
    ['竹林', { place: 'forest', settings: new Set(['bamboo']) }],
    ['a rainforest', { place: 'forest', settings: new Set(['jungle']) }],
    ['a village in the mountains', { place: 'village' }],
    ['小镇', { place: 'village' }],
    ['a city street in the rain', { place: 'street', weather: 'rain' }],
    ['巷子里的夜晚', { place: 'street', time: 'night', settings: new Set(['alley']) }],
    ['a cat by the window of a room', { place: 'room' }],
    ['a library at night', { place: 'room', time: 'night', settings: new Set(['library']) }],
    ['卧室', { place: 'room', settings: new Set(['bedroom']) }],
    ['a river in autumn', { place: 'river', season: 'autumn' }],
    ['a waterfall', { place: 'waterfall' }],
    ['瀑布', { place: 'waterfall' }],
    ['火山', { place: 'volcano' }],
    ['lava flowing down a volcano', { place: 'volcano' }],
    ['above the clouds', { place: 'sky' }],
    ['云海', { place: 'sky' }],
    ['purple sky over the desert', { place: 'desert' }],
    ['clouds over the mountains', { place: 'mountains' }],
    ['a tropical beach', { place: 'beach' }],
    ['海滩', { place: 'beach' }],
    ['a canyon', { place: 'desert', settings: new Set(['canyon']) }],
    ['a field of lavender', { place: 'meadow', settings: new Set(['lavender']) }],
    ['a lake in the mountains', { place: 'lake' }],
    ['雪山', { place: 'mountains' }],
    ['a gloomy forest', { place: 'forest', mood: 'gloomy' }],
    ['神秘的海', { place: 'sea', mood: 'mysterious' }],
    ['a street at golden hour', { place: 'street', time: 'dusk' }],
    ['a portrait of an old man', { place: 'meadow', settings: new Set(['portrait']) }],
    ['a chess set, shallow depth of field', { place: 'table' }],
    ['an elephant herd', { subjects: [{ kind: 'elephant', count: 5 }] }],
    ['a balloon festival', { subjects: [{ kind: 'balloon', count: 5 }] }],
  ])('readPrompt finds the expected scene in %j', (prompt, brief) => {
    expect(readPrompt(prompt)).toMatchObject(brief)
  })

  it('readPrompt omits everything that the negative prompt names', () => {
    const brief = readPrompt('a fox and a boat on a rainy sea with birds', 'fox, rain, birds')
    expect(brief.subjects.map(({ kind }) => kind)).toEqual(['boat'])
    expect(brief.weather).toBe('clear')
    expect(brief.omittedParts).toContain('birds')
  })

  it('a negative prompt removes the stars and keeps the night', () => {
    const brief = readPrompt('a lake at night under shooting stars', 'stars, shooting stars, aurora')
    expect(brief).toMatchObject({ time: 'night', particles: new Set() })
    expect(brief.omittedParts).toContain('stars')
    expect(readPrompt('a lake at night', 'night').time).not.toBe('night')
  })

  it.each([
    ['fireflies', { place: 'forest', time: 'night', particles: new Set(['fireflies']) }],
    ['a campfire', { place: 'forest', time: 'night', subjects: [{ kind: 'campfire' }] }],
    ['meteor shower over a lake', { place: 'lake', time: 'night', particles: new Set(['meteors']) }],
    ['萤火虫', { time: 'night', particles: new Set(['fireflies']) }],
    ['falling leaves in a park', { place: 'forest', particles: new Set(['leaves']) }],
    ['a sunflower field', { place: 'meadow', settings: new Set(['sunflowers']) }],
    ['cherry blossoms', { place: 'meadow', season: 'spring', settings: new Set(['blossom']) }],
    ['樱花', { place: 'meadow', settings: new Set(['blossom']) }],
  ])('readPrompt finds the particles in the air and the flowers in %j', (prompt, brief) => {
    expect(readPrompt(prompt)).toMatchObject(brief)
  })

  it('a negative prompt matches the singular and the plural of a word', () => {
    for (const [prompt, negative] of [
      ['wolves in a forest', 'wolf'],
      ['a wolf in a forest', 'wolves'],
      ['two women in a forest', 'people'],
      ['a man in a forest', 'men, women'],
      ['森林里的狼', 'wolf'],
    ])
      expect(readPrompt(prompt ?? '', negative).subjects, prompt).toEqual([])
  })

  it('readPrompt omits everything that the prompt itself negates', () => {
    const brief = readPrompt('a quiet lake, no people, without any boats or birds, not a fox, no red cars')
    expect(brief).toMatchObject({ place: 'lake', subjects: [] })
    expect(brief.omittedParts).toContain('birds')
    expect(readPrompt('没有人的海边').subjects).toEqual([])
    expect(readPrompt('no wind, a fox and a boat').subjects).toHaveLength(2)
  })

  it('readPrompt reads prompts of 2,000 words and more to their end', () => {
    expect(readPrompt(`${'calm '.repeat(1999)}fox`, 'calm, fox '.repeat(400)).subjects).toEqual([])
    expect(readPrompt(`${'red lake and sky '.repeat(660)}fox`).subjects).toMatchObject([{ kind: 'fox' }])
  })

  it('readPrompt accepts letters of any case and width, and never throws for any text', () => {
    expect(readPrompt('ＴＨＲＥＥ ＦＯＸＥＳ').subjects).toMatchObject([{ kind: 'fox', count: 3 }])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 100 }), (prompt, negative) => {
        const { subjects } = readPrompt(prompt, negative)
        expect(subjects.length).toBeLessThan(5)
      }),
      { numRuns: 60 },
    )
    for (const prompt of ['\ud83d fox \udc8a', 'İ̇ fox ſ ß ﬁ', '\u202e fox', 'fox\u0000wolf'])
      expect(readPrompt(prompt).subjects[0]?.kind, prompt).toBe('fox')
  })

  it.each(['', '   ', 'xyzzy plugh', '🦊🦊', '\u0000', '数学', 'a quantum experiment'])(
    'the prompt %j gives a still life',
    (prompt) => {
      const { place, subjects } = readPrompt(prompt)
      expect(place).toBe('table')
      expect(subjects).toHaveLength(3)
    },
  )

  it('readPrompt ignores words at the end of a prompt of 100,000 characters', () => {
    expect(readPrompt(`${'x '.repeat(50_000)} a fox`).subjects.map(({ kind }) => kind)).not.toContain('fox')
  })

  it.each([
    ['ruined towers', ['ruin'], 'meadow'],
    ['a ruined castle', ['ruin'], 'meadow'],
    ['a stone tower', ['keep'], 'meadow'],
    ['the Eiffel Tower', ['tower'], 'city'],
    ['glass towers of a city at night', [], 'city'],
    ['coffee in a Paris café', ['cup'], 'room'],
    ['a bride and groom dancing', ['wedding'], 'meadow'],
    ['the bride and her groom', ['wedding'], 'meadow'],
    ['a bride', ['bride'], 'meadow'],
    ['a bowl of ramen', ['noodles'], 'table'],
    ['a stack of pancakes', ['pancakes'], 'table'],
    ['a portrait of a woman in a forest', ['woman'], 'forest'],
    ['a cup of tea in a garden', ['cup'], 'meadow'],
    ['a wolf drinking tea', ['wolf', 'cup'], 'forest'],
    ['a perfume bottle on a marble podium', ['perfume'], 'podium'],
    ['a product shot', ['product'], 'podium'],
    ['sneakers floating above a pedestal', ['shoe'], 'podium'],
    ['a football flying into the net', ['ball', 'player'], 'stadium'],
    ['two children playing football on the beach', ['child', 'ball'], 'beach'],
    ['a basketball player in an arena', ['player'], 'stadium'],
    ['a logo of a fox', ['fox'], 'emblem'],
    ['an astronaut logo', ['astronaut'], 'emblem'],
    ['a typewriter on a desk, dust in the sunlight', ['vase', 'fruit', 'book'], 'table'],
    ['a caravan of camels', ['camel'], 'desert'],
    ['a car on a coastal road', ['car'], 'sea'],
    ['a whale breaching in front of an iceberg', ['whale', 'iceberg'], 'sea'],
    ['a whale beside an iceberg', ['whale', 'iceberg'], 'sea'],
    ['penguins on an iceberg', ['penguin', 'iceberg'], 'sea'],
    ['an emperor penguin', ['penguin'], 'snowfield'],
    ['a knight kneeling before a queen in a throne room', ['knight', 'queen'], 'room'],
    ['a chef tossing vegetables in a wok', ['chef', 'vegetables'], 'room'],
    ['a chef on the beach', ['chef'], 'beach'],
    ['a nurse in a hospital corridor', ['medic'], 'room'],
    ['a violinist on a street', ['person'], 'street'],
    ['a potter shaping a vase', ['artisan', 'vase'], 'room'],
    ['a man on a skateboard', ['skateboarder'], 'street'],
    ['a woman surfing a huge wave', ['surfer'], 'sea'],
    ['a snowboarder jumping off a cliff in powder snow', ['snowboarder'], 'snowfield'],
    ['skiing in the Alps', ['skier'], 'snowfield'],
    ['a farmer driving a green tractor through a field', ['tractor'], 'meadow'],
    ['the pyramids of Giza', ['pyramid'], 'desert'],
    ['a cargo ship in a stormy sea', ['ship'], 'sea'],
    ['a pirate ship', ['boat'], 'sea'],
    ['a steam train crossing a viaduct', ['steamtrain', 'bridge'], 'meadow'],
    ['flamingos in a salt lake', ['flamingo'], 'lake'],
    ['two kids building a sandcastle on the beach', ['child'], 'beach'],
    ['a running shoe, product ad', ['shoe'], 'podium'],
  ])('readPrompt finds in %j the subjects %j and the place %s', (prompt, kinds, place) => {
    const brief = readPrompt(prompt)
    expect(brief.place).toBe(place)
    if (place === 'table' && kinds.length > 1) expect(brief.subjects).toHaveLength(kinds.length)
    else expect(brief.subjects.map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each([
    ['a burning castle', [{ kind: 'castle', condition: 'burning' }]],
    ['a house on fire at night', [{ kind: 'house', condition: 'burning' }]],
    ['a dragon breathing fire over a village', [{ kind: 'dragon', condition: 'breathing fire' }]],
    ['a fire-breathing dragon', [{ kind: 'dragon', condition: 'breathing fire' }]],
    ['a fox beside a burning house', [{ kind: 'fox' }, { kind: 'house', condition: 'burning' }]],
    ['a whale leaping out of the sea', [{ kind: 'whale', condition: 'leaping' }]],
    ['ruined towers overgrown with ivy', [{ kind: 'ruin', count: 3 }]],
    ['a caravan of camels', [{ kind: 'camel', count: 3 }]],
    ['three cups of coffee', [{ kind: 'cup', count: 3 }]],
    ['sneakers', [{ kind: 'shoe', count: 1 }]],
    ['a whale beside an iceberg', [{ kind: 'whale', condition: 'leaping' }, { kind: 'iceberg' }]],
    ['the pyramids of Giza', [{ kind: 'pyramid', count: 3 }]],
    ['a knight in black armor', [{ kind: 'knight', color: [36, 34, 42] }]],
    ['a knight riding a horse', [{ kind: 'horse', rider: { kind: 'knight' } }]],
  ])('readPrompt finds the condition and the number of the subjects in %j', (prompt, subjects) => {
    expect(readPrompt(prompt).subjects).toMatchObject(subjects)
  })

  it('a chef is in a kitchen when the prompt names no place', () => {
    expect(readPrompt('a chef')).toMatchObject({ place: 'room', settings: new Set(['kitchen']) })
    expect(readPrompt('a chef in a library').settings).toEqual(new Set(['library']))
  })

  it('readPrompt understands letters with diacritics', () => {
    expect(readPrompt('a café')).toMatchObject({ place: 'room', settings: new Set(['cafe']) })
    expect(readPrompt('a jüngle')).toMatchObject({ place: 'forest' })
  })

  it('a negative prompt has no effect if it names nothing that the prompt contains', () => {
    expect(readPrompt('a lake')).toEqual(readPrompt('a lake', 'dinosaur'))
  })
})
