import type { Place } from './scene-brief.ts'

/** What can be shown: where it is at home when the prompt names no place, its words, and words for special kinds of it. */
export const subjectWords = {
  fox: { home: 'forest', words: 'fox 狐狸 狐' },
  wolf: { home: 'forest', words: 'wolf coyote husky 狼' },
  dog: { home: 'meadow', words: 'dog puppy corgi retriever hound 狗 犬' },
  cat: { home: 'meadow', words: 'cat kitten kitty tomcat tabby 猫 小猫' },
  tiger: { home: 'forest', words: 'tiger tigress 虎 老虎' },
  lion: { home: 'meadow', words: 'lion 狮 狮子' },
  leopard: { home: 'forest', words: 'leopard jaguar cheetah panther 豹 豹子' },
  horse: { home: 'meadow', words: 'horse pony stallion mare mustang 马' },
  unicorn: { home: 'meadow', words: 'unicorn 独角兽' },
  zebra: { home: 'desert', words: 'zebra 斑马' },
  deer: { home: 'forest', words: 'deer stag elk moose reindeer antelope fawn 鹿' },
  bear: { home: 'forest', words: 'bear grizzly 熊' },
  panda: { home: 'forest', words: 'panda 熊猫 大熊猫' },
  bird: { home: 'lake', words: 'bird crow gull seagull eagle swallow crane goose dove raven flock 鸟 鹰 雁' },
  person: {
    home: 'meadow',
    words: 'person man woman girl boy child human traveler traveller wanderer hiker people figure walker monk 人 女孩 男孩',
  },
  boat: { home: 'sea', words: 'boat ship sailboat sail yacht canoe vessel 船 帆' },
  balloon: { home: 'lake', words: 'balloon 热气球 气球' },
  house: { home: 'meadow', words: 'house cabin hut cottage home barn farmhouse temple 房子 屋 小屋' },
  tree: { home: 'meadow', words: 'tree oak 树' },
  lighthouse: { home: 'sea', words: 'lighthouse 灯塔' },
  castle: { home: 'lake', words: 'castle palace fortress 城堡 宫殿' },
  bridge: { home: 'sea', words: 'bridge 桥 大桥' },
  car: { home: 'meadow', words: 'car automobile truck taxi vehicle driving 汽车 车 轿车 跑车' },
  train: { home: 'meadow', words: 'train railway locomotive 火车 列车 高铁' },
  rocket: { home: 'space', words: 'rocket spaceship spacecraft starship shuttle 火箭 飞船' },
  fish: { home: 'underwater', words: 'fish goldfish koi clownfish 鱼 金鱼' },
  whale: { home: 'underwater', words: 'whale orca humpback 鲸 鲸鱼' },
} as const satisfies Record<string, { home: Place; words: string }>

export type SubjectKind = keyof typeof subjectWords
