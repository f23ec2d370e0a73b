import type { Place } from './scene-brief.ts'

/** Kinds that one word takes together when they are unwanted: "people", "animals". */
export type SubjectGroup = 'people' | 'animals'

export const groupWords: Record<SubjectGroup, string> = {
  people: 'person people human figure crowd 人 人物',
  animals: 'animal wildlife creature beast 动物',
}

interface SubjectEntry {
  /** Where it is when the prompt names no place. */
  home: Place
  words: string
  group?: SubjectGroup
}

/** What can be shown, the more general kind of things first. */
export const subjectWords = {
  person: {
    home: 'meadow',
    group: 'people',
    words: 'person human people figure walker traveler traveller wanderer hiker monk 人',
  },
  man: {
    home: 'meadow',
    group: 'people',
    words: 'man guy gentleman father grandfather samurai cowboy soldier 男人 男子 老人 爷爷',
  },
  woman: {
    home: 'meadow',
    group: 'people',
    words: 'woman lady girl mother grandmother bride princess queen 女人 女子 女孩 姑娘 少女',
  },
  child: { home: 'meadow', group: 'people', words: 'child kid boy toddler 孩子 小孩 男孩 儿童' },
  couple: { home: 'meadow', group: 'people', words: 'couple lover newlywed dancing_couple 情侣 夫妻 恋人' },
  dancer: { home: 'meadow', group: 'people', words: 'dancer ballerina ballet dancing 舞者 芭蕾 跳舞' },
  umbrella: { home: 'city', group: 'people', words: 'umbrella parasol 雨伞 伞' },
  astronaut: { home: 'space', group: 'people', words: 'astronaut cosmonaut spaceman 宇航员 航天员' },
  robot: { home: 'city', words: 'robot android cyborg mech droid 机器人 机甲' },
  fox: { home: 'forest', group: 'animals', words: 'fox 狐狸 狐' },
  wolf: { home: 'forest', group: 'animals', words: 'wolf coyote husky 狼' },
  dog: { home: 'meadow', group: 'animals', words: 'dog puppy corgi retriever hound 狗 小狗 犬' },
  cat: { home: 'meadow', group: 'animals', words: 'cat kitten kitty tomcat tabby 猫 小猫 猫咪' },
  tiger: { home: 'forest', group: 'animals', words: 'tiger tigress 虎 老虎' },
  lion: { home: 'meadow', group: 'animals', words: 'lion 狮 狮子' },
  leopard: { home: 'forest', group: 'animals', words: 'leopard jaguar cheetah panther 豹 豹子 猎豹' },
  horse: { home: 'meadow', group: 'animals', words: 'horse pony stallion mare mustang 马 骏马' },
  unicorn: { home: 'meadow', group: 'animals', words: 'unicorn 独角兽' },
  zebra: { home: 'desert', group: 'animals', words: 'zebra 斑马' },
  deer: { home: 'forest', group: 'animals', words: 'deer stag elk moose reindeer antelope fawn 鹿 小鹿 麋鹿' },
  bear: { home: 'forest', group: 'animals', words: 'bear grizzly 熊' },
  panda: { home: 'forest', group: 'animals', words: 'panda 熊猫 大熊猫' },
  cow: { home: 'meadow', group: 'animals', words: 'cow bull cattle calf ox 牛 奶牛' },
  camel: { home: 'desert', group: 'animals', words: 'camel dromedary caravan 骆驼' },
  elephant: { home: 'meadow', group: 'animals', words: 'elephant mammoth 大象 象' },
  rabbit: { home: 'meadow', group: 'animals', words: 'rabbit bunny hare 兔子 兔 小兔' },
  penguin: { home: 'snowfield', group: 'animals', words: 'penguin 企鹅' },
  dinosaur: { home: 'forest', group: 'animals', words: 'dinosaur tyrannosaurus t_rex trex raptor 恐龙 霸王龙' },
  dragon: { home: 'lake', group: 'animals', words: 'dragon wyvern 龙 巨龙 飞龙' },
  owl: { home: 'forest', group: 'animals', words: 'owl 猫头鹰' },
  bird: {
    home: 'lake',
    group: 'animals',
    words: 'bird swallow crane goose dove pigeon sparrow flock 鸟 小鸟 飞鸟 雁 大雁 燕子 鸽子 仙鹤',
  },
  gull: { home: 'sea', group: 'animals', words: 'gull seagull albatross tern 海鸥' },
  crow: { home: 'meadow', group: 'animals', words: 'crow raven 乌鸦' },
  eagle: { home: 'mountains', group: 'animals', words: 'eagle hawk falcon condor vulture 鹰 老鹰 雄鹰' },
  swan: { home: 'lake', group: 'animals', words: 'swan duck 天鹅 鸭子 鸭' },
  butterfly: { home: 'meadow', group: 'animals', words: 'butterfly dragonfly moth 蝴蝶 蜻蜓' },
  dolphin: { home: 'sea', group: 'animals', words: 'dolphin porpoise 海豚' },
  whale: { home: 'underwater', group: 'animals', words: 'whale orca humpback 鲸 鲸鱼' },
  fish: { home: 'underwater', group: 'animals', words: 'fish clownfish 鱼 小丑鱼' },
  goldfish: { home: 'underwater', group: 'animals', words: 'goldfish koi carp 金鱼 锦鲤' },
  turtle: { home: 'underwater', group: 'animals', words: 'turtle tortoise sea_turtle 海龟 乌龟 龟' },
  jellyfish: { home: 'underwater', group: 'animals', words: 'jellyfish medusa 水母' },
  octopus: { home: 'underwater', group: 'animals', words: 'octopus kraken squid 章鱼 八爪鱼 乌贼' },
  boat: { home: 'sea', words: 'boat ship sailboat sail yacht canoe vessel 船 帆 帆船 小船' },
  car: { home: 'meadow', words: 'car automobile truck taxi vehicle driving 汽车 车 轿车 跑车' },
  bicycle: { home: 'meadow', words: 'bicycle bike cyclist cycling 自行车 单车' },
  train: { home: 'meadow', words: 'train railway locomotive 火车 列车 高铁' },
  airplane: { home: 'sky', words: 'airplane aeroplane plane jet aircraft airliner 飞机 客机' },
  helicopter: { home: 'city', words: 'helicopter chopper 直升机' },
  rocket: { home: 'space', words: 'rocket spaceship spacecraft starship shuttle 火箭 飞船' },
  ufo: { home: 'desert', words: 'ufo flying_saucer alien_ship saucer 飞碟 不明飞行物' },
  balloon: { home: 'lake', words: 'balloon hot_air_balloon 热气球 气球' },
  kite: { home: 'meadow', words: 'kite 风筝' },
  lantern: { home: 'lake', words: 'lantern sky_lantern paper_lantern 灯笼 孔明灯 天灯' },
  house: { home: 'meadow', words: 'house cabin hut cottage home barn farmhouse 房子 屋 小屋 木屋' },
  castle: { home: 'lake', words: 'castle palace fortress 城堡 宫殿' },
  pagoda: { home: 'lake', words: 'pagoda temple shrine 宝塔 塔 寺庙 寺' },
  tower: { home: 'city', words: 'tower eiffel_tower 高塔 铁塔 埃菲尔铁塔' },
  lighthouse: { home: 'sea', words: 'lighthouse 灯塔' },
  windmill: { home: 'meadow', words: 'windmill 风车' },
  bridge: { home: 'sea', words: 'bridge 桥 大桥' },
  tree: { home: 'meadow', words: 'tree oak cherry_tree apple_tree 树 大树' },
  palm: { home: 'beach', words: 'palm palm_tree coconut_tree coconut_palm 棕榈 棕榈树 椰树 椰子树' },
  cactus: { home: 'desert', words: 'cactus saguaro cacti 仙人掌' },
  snowman: { home: 'snowfield', words: 'snowman 雪人' },
  campfire: { home: 'forest', words: 'campfire bonfire camp_fire 篝火 营火' },
} as const satisfies Record<string, SubjectEntry>

export type SubjectKind = keyof typeof subjectWords
