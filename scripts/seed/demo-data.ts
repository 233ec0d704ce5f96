import type { AvatarFace } from './draw-face.ts'

/** If a member has no face, the picture shows initials. */
export type DemoMember = { name: string; username: string; bio: string; face?: AvatarFace }

export const demoMembers: DemoMember[] = [
  {
    name: 'Lucía Ferrer',
    username: 'lucia.ferrer',
    bio: 'Luz, mar y cuadernos. Valencia.',
    face: { style: 'long', ground: '#f8c08a', skin: '#e8b48f', hair: '#4a2b20', top: '#b3174f' },
  },
  {
    name: 'Marisol Quiroga',
    username: 'marisol.barro',
    bio: 'Ceramista en Tonalá. El barro manda.',
    face: {
      style: 'bun',
      ground: '#cbe6d3',
      skin: '#c98a62',
      hair: '#2b1a1f',
      top: '#fbf8fa',
      glasses: true,
    },
  },
  { name: 'Sofía Arce', username: 'sofia.arce', bio: 'Dibujo plantas que no se mueren.' },
  {
    name: 'Wanjiru Kamau',
    username: 'wanjiru',
    bio: 'Long walks, short poems. Nairobi and Lisbon.',
    face: { style: 'curls', ground: '#fbc75c', skin: '#7a4a30', hair: '#241412', top: '#17706a' },
  },
  {
    name: 'Helena Prado',
    username: 'helenaprado',
    bio: 'Fotógrafa de bodas los sábados, de nubes el resto.',
    face: { style: 'braid', ground: '#d8d0f5', skin: '#a8683f', hair: '#2a1512', top: '#e07a2f' },
  },
  {
    name: 'Yuki Tanaka',
    username: 'yuki.t',
    bio: '本と珈琲。 Books and coffee.',
    face: { style: 'bob', ground: '#cfe3a8', skin: '#f0cda6', hair: '#1d1a22', top: '#f4eff2' },
  },
  {
    name: 'Paloma Ruiz',
    username: 'paloma.r',
    bio: 'Arquitecta. Colecciono puertas azules.',
    face: {
      style: 'long',
      ground: '#fbdca6',
      skin: '#efc3a0',
      hair: '#8a4a2a',
      top: '#23707a',
      glasses: true,
    },
  },
  { name: 'Nuria Beltrán', username: 'nuria.b', bio: 'Huerto, pan y paciencia.' },
  {
    name: 'Valentina Ossa',
    username: 'valeossa',
    bio: 'Globos, faros, trenes. Medellín.',
    face: { style: 'short', ground: '#c9e2f2', skin: '#f3cfae', hair: '#d9a441', top: '#c2244f' },
  },
  {
    name: 'Rosa María Paredes',
    username: 'rosamaria',
    bio: 'Abuela, maestra jubilada, lectora de domingo.',
    face: { style: 'bun', ground: '#f6a9b8', skin: '#a8683f', hair: '#5b4a52', top: '#17704a' },
  },
  {
    name: 'Inés Robledo',
    username: 'inesrobledo',
    bio: 'Subo montañas despacio.',
    face: { style: 'bob', ground: '#a9d2ee', skin: '#f0c8ab', hair: '#b4512a', top: '#3d5a80' },
  },
  {
    name: 'Teresa Ibáñez',
    username: 'tere.ibanez',
    bio: 'Tejo mientras hablo.',
    face: {
      style: 'short',
      ground: '#f8c9d6',
      skin: '#e8b996',
      hair: '#b9b4bd',
      top: '#5b45a6',
      glasses: true,
    },
  },
]

/** `by` and `likedBy` are usernames, `group` is a name of `demoGroups`. */
export type DemoPost = {
  by: string
  picture: string
  alt?: string
  more?: { picture: string; alt: string }[]
  caption: string
  location: string
  tags: string[]
  hoursAgo: number
  likedBy: string[]
  group?: string
}

export const demoPosts: DemoPost[] = [
  {
    by: 'marisol.barro',
    picture: 'ceramics',
    caption: 'Salió del horno la última hornada del año. La blanca se queda conmigo; las demás buscan casa.',
    location: 'Tonalá, Jalisco',
    tags: ['barro', 'hechoamano', 'taller'],
    hoursAgo: 0.4,
    likedBy: ['lucia.ferrer', 'sofia.arce', 'tere.ibanez', 'nuria.b', 'wanjiru', 'yuki.t'],
    group: 'Club de Cerámica',
  },
  {
    by: 'tere.ibanez',
    picture: 'coffee',
    caption: 'Primera taza con asa que no se cae. Brindo con café.',
    location: 'Zaragoza',
    tags: ['principiante'],
    hoursAgo: 2,
    likedBy: ['marisol.barro', 'lucia.ferrer', 'nuria.b', 'wanjiru', 'sofia.arce', 'yuki.t'],
    group: 'Club de Cerámica',
  },
  {
    by: 'lucia.ferrer',
    picture: 'sea',
    caption: 'El mar a las siete, antes de que nadie le pida nada.',
    location: 'El Saler, Valencia',
    tags: ['mar', 'amanecer'],
    hoursAgo: 3,
    likedBy: ['helenaprado', 'paloma.r', 'wanjiru', 'marisol.barro', 'sofia.arce', 'yuki.t', 'nuria.b'],
  },
  {
    by: 'paloma.r',
    picture: 'bougain',
    caption: 'Puerta azul número 214. La buganvilla firmó sin leer el contrato.',
    location: 'Mojácar, Almería',
    tags: ['puertas', 'azul'],
    hoursAgo: 6,
    likedBy: ['lucia.ferrer', 'valeossa', 'sofia.arce', 'rosamaria', 'wanjiru', 'yuki.t', 'tere.ibanez'],
  },
  {
    by: 'yuki.t',
    picture: 'candles',
    caption: 'Second cup, third chapter. No plans until the rain stops.',
    location: 'Kyoto',
    tags: ['rain', 'reading'],
    hoursAgo: 9,
    likedBy: [
      'wanjiru',
      'lucia.ferrer',
      'marisol.barro',
      'helenaprado',
      'paloma.r',
      'nuria.b',
      'rosamaria',
      'inesrobledo',
    ],
  },
  {
    by: 'nuria.b',
    picture: 'lemons',
    alt: 'Six lemons on blue tiles, one of them cut in half.',
    more: [
      { picture: 'oranges', alt: 'A bowl of oranges with their leaves on a wooden table.' },
      { picture: 'bougain', alt: 'A blue door under a bougainvillea.' },
      { picture: 'parasols', alt: '' },
    ],
    caption: 'Limones del huerto y azulejos de la abuela.\n\nSe reparten el domingo: traed bolsa.',
    location: 'Xàtiva',
    tags: ['huerto', 'limones', 'domingo'],
    hoursAgo: 22,
    likedBy: [
      'rosamaria',
      'tere.ibanez',
      'lucia.ferrer',
      'inesrobledo',
      'marisol.barro',
      'sofia.arce',
      'helenaprado',
      'yuki.t',
    ],
  },
  {
    by: 'yuki.t',
    picture: 'oranges',
    caption: 'Testing a new matte white glaze. The bowl survived, the oranges did not.',
    location: 'Kyoto',
    tags: ['glaze', 'stoneware'],
    hoursAgo: 26,
    likedBy: ['marisol.barro', 'tere.ibanez', 'sofia.arce', 'lucia.ferrer', 'wanjiru'],
    group: 'Club de Cerámica',
  },
  {
    by: 'valeossa',
    picture: 'balloons',
    caption: 'Nos despertaron a las cuatro y nadie se quejó.',
    location: 'Capadocia',
    tags: ['globos', 'viaje'],
    hoursAgo: 30,
    likedBy: [
      'helenaprado',
      'lucia.ferrer',
      'paloma.r',
      'yuki.t',
      'wanjiru',
      'inesrobledo',
      'marisol.barro',
      'nuria.b',
      'rosamaria',
    ],
  },
  {
    by: 'rosamaria',
    picture: 'books',
    caption: 'Las tres que llevo al club este mes. La de arriba ya la he terminado dos veces.',
    location: 'Oviedo',
    tags: ['lecturas'],
    hoursAgo: 47,
    likedBy: ['yuki.t', 'lucia.ferrer', 'tere.ibanez'],
    group: 'Lectoras de Domingo',
  },
  {
    by: 'helenaprado',
    picture: 'lavender',
    caption: 'Diez minutos de este cielo y ni un solo coche.',
    location: 'Brihuega, Guadalajara',
    tags: ['lavanda', 'atardecer'],
    hoursAgo: 70,
    likedBy: ['lucia.ferrer', 'sofia.arce', 'marisol.barro', 'yuki.t', 'nuria.b', 'valeossa'],
  },
  {
    by: 'tere.ibanez',
    picture: 'yarn',
    caption: 'Lana nueva. No necesitaba lana nueva.',
    location: 'Zaragoza',
    tags: ['punto', 'lana'],
    hoursAgo: 96,
    likedBy: [
      'rosamaria',
      'nuria.b',
      'marisol.barro',
      'lucia.ferrer',
      'sofia.arce',
      'wanjiru',
      'yuki.t',
      'paloma.r',
    ],
  },
  {
    by: 'inesrobledo',
    picture: 'forest',
    caption: 'La niebla sube más deprisa que nosotras. Bajamos a tiempo para el caldo.',
    location: 'Redes, Asturias',
    tags: ['monte', 'niebla'],
    hoursAgo: 120,
    likedBy: ['wanjiru', 'helenaprado', 'lucia.ferrer'],
    group: 'Senderistas del Norte',
  },
  {
    by: 'sofia.arce',
    picture: 'succulent',
    caption: 'Esta lleva seis años conmigo. Un récord.',
    location: 'Granada',
    tags: ['plantas'],
    hoursAgo: 150,
    likedBy: ['nuria.b', 'lucia.ferrer', 'marisol.barro', 'wanjiru', 'helenaprado', 'paloma.r', 'rosamaria'],
  },
  {
    by: 'wanjiru',
    picture: 'lanterns',
    caption: 'Everybody wrote a wish. Nobody told.',
    location: 'Hội An',
    tags: ['lanterns', 'night'],
    hoursAgo: 180,
    likedBy: [
      'yuki.t',
      'valeossa',
      'lucia.ferrer',
      'paloma.r',
      'marisol.barro',
      'sofia.arce',
      'helenaprado',
      'nuria.b',
    ],
  },
  {
    by: 'paloma.r',
    picture: 'barragan',
    caption: 'Color y sombra: lo demás sobra.',
    location: 'Ciudad de México',
    tags: ['arquitectura', 'rosa'],
    hoursAgo: 260,
    likedBy: [
      'lucia.ferrer',
      'helenaprado',
      'marisol.barro',
      'sofia.arce',
      'wanjiru',
      'yuki.t',
      'valeossa',
      'rosamaria',
    ],
  },
  {
    by: 'valeossa',
    picture: 'parasols',
    caption: 'Geometría de agosto.',
    location: 'Lido di Ostia',
    tags: ['playa', 'verano'],
    hoursAgo: 400,
    likedBy: [
      'paloma.r',
      'lucia.ferrer',
      'marisol.barro',
      'wanjiru',
      'helenaprado',
      'nuria.b',
      'rosamaria',
      'inesrobledo',
    ],
  },
  {
    by: 'nuria.b',
    picture: 'table',
    caption: 'Sobremesa larga. Faltan dos sillas y sobran historias.',
    location: 'Xàtiva',
    tags: ['sobremesa'],
    hoursAgo: 560,
    likedBy: [
      'rosamaria',
      'lucia.ferrer',
      'sofia.arce',
      'tere.ibanez',
      'marisol.barro',
      'helenaprado',
      'yuki.t',
      'valeossa',
    ],
  },
  {
    by: 'helenaprado',
    picture: 'dahlia',
    caption: 'Dalia, 1/250, con viento y sin prisa.',
    location: 'Aranjuez',
    tags: ['flores', 'macro'],
    hoursAgo: 800,
    likedBy: ['sofia.arce', 'marisol.barro', 'lucia.ferrer', 'wanjiru', 'yuki.t', 'paloma.r', 'valeossa'],
  },
]

export const demoFollows: Record<string, string[]> = {
  'lucia.ferrer': ['marisol.barro', 'paloma.r', 'helenaprado', 'valeossa', 'nuria.b', 'wanjiru'],
  'marisol.barro': ['lucia.ferrer', 'tere.ibanez', 'paloma.r'],
  'sofia.arce': ['nuria.b', 'helenaprado', 'lucia.ferrer'],
  wanjiru: ['yuki.t', 'lucia.ferrer', 'inesrobledo'],
  helenaprado: ['lucia.ferrer', 'valeossa'],
  'yuki.t': ['wanjiru', 'rosamaria', 'lucia.ferrer'],
  'paloma.r': ['lucia.ferrer', 'marisol.barro', 'valeossa'],
  'nuria.b': ['rosamaria', 'sofia.arce', 'tere.ibanez'],
  valeossa: ['paloma.r', 'helenaprado', 'lucia.ferrer'],
  rosamaria: ['nuria.b', 'tere.ibanez'],
  inesrobledo: ['wanjiru', 'helenaprado'],
  'tere.ibanez': ['rosamaria', 'marisol.barro', 'lucia.ferrer'],
}

export type DemoGroup = {
  name: string
  description: string
  picture: string
  admin: string
  members: string[]
  waiting: string[]
}

export const demoGroups: DemoGroup[] = [
  {
    name: 'Club de Cerámica',
    description:
      'Hornos, esmaltes y paciencia. Nos juntamos los jueves en el taller y aquí guardamos lo que sale bien, y lo que no.',
    picture: 'ceramics',
    admin: 'lucia.ferrer',
    members: ['marisol.barro', 'tere.ibanez', 'sofia.arce', 'nuria.b', 'wanjiru', 'yuki.t'],
    waiting: ['valeossa', 'paloma.r', 'rosamaria'],
  },
  {
    name: 'Lectoras de Domingo',
    description: 'Un libro al mes y una llamada larga. Leemos a autoras vivas, discutimos sin prisa.',
    picture: 'books',
    admin: 'rosamaria',
    members: ['yuki.t', 'lucia.ferrer', 'tere.ibanez'],
    waiting: ['paloma.r', 'inesrobledo'],
  },
  {
    name: 'Senderistas del Norte',
    description: 'Rutas de fin de semana por Asturias y Cantabria. El ritmo lo pone la última.',
    picture: 'forest',
    admin: 'inesrobledo',
    members: ['wanjiru', 'helenaprado', 'lucia.ferrer'],
    waiting: [],
  },
  {
    name: 'Huerto Compartido',
    description: '',
    picture: 'oranges',
    admin: 'nuria.b',
    members: ['rosamaria'],
    waiting: ['lucia.ferrer'],
  },
]

/**
 * Messages are oldest first, each with its sender's index. The last message was sent `minutesAgo`, the others a minute
 * apart before it.
 */
export type DemoConversation = {
  between: [string, string]
  minutesAgo: number
  lines: [sender: 0 | 1, words: string, beside?: DemoMessageExtras][]
}

export type DemoMessageExtras = {
  photo?: { picture: string; alt: string }
  sharedPost?: string
  replyTo?: number
  reaction?: '❤️' | '😂' | '👏'
  unsent?: true
}

export const demoConversations: DemoConversation[] = [
  {
    between: ['rosamaria', 'lucia.ferrer'],
    minutesAgo: 12 * 24 * 60,
    lines: [
      [0, 'Feliz cumpleaños, guapa.'],
      [1, '¡Gracias, Rosa! La tarta la pone Nuria.'],
    ],
  },
  {
    between: ['yuki.t', 'wanjiru'],
    minutesAgo: 8 * 24 * 60,
    lines: [
      [0, 'I finished the book. I need to talk to somebody.'],
      [1, 'Page 312?'],
      [0, 'Page 312.'],
    ],
  },
  {
    between: ['lucia.ferrer', 'yuki.t'],
    minutesAgo: 6 * 24 * 60,
    lines: [
      [1, 'The tea house was closed, so we walked.'],
      [0, 'Same time next week?'],
    ],
  },
  {
    between: ['lucia.ferrer', 'helenaprado'],
    minutesAgo: 2 * 24 * 60,
    lines: [
      [0, '¿Has llegado bien?'],
      [1, 'Ya estoy en Guanajuato. Qué luz.', { reaction: '❤️' }],
      [0, 'Ni se te ocurra volver sin fotos.'],
      [
        1,
        'La primera.',
        { photo: { picture: 'arches', alt: 'Arcos de piedra con sol de tarde' }, replyTo: 2, reaction: '👏' },
      ],
      [1, 'Perdón, esta no era para ti.', { unsent: true }],
      [0, '', { sharedPost: 'lanterns' }],
      [1, 'Esos farolillos los tengo que ver.'],
    ],
  },
  {
    between: ['lucia.ferrer', 'tere.ibanez'],
    minutesAgo: 24 * 60,
    lines: [
      [1, 'Tengo lana azul de sobra, por si te animas con el jersey.'],
      [0, 'Gracias, Tere. Lo hablamos mañana.'],
    ],
  },
  {
    between: ['lucia.ferrer', 'wanjiru'],
    minutesAgo: 180,
    lines: [
      [1, 'The lanterns picture is for you, you know.'],
      [0, 'Mándame la grande cuando la tengas.'],
    ],
  },
  {
    between: ['paloma.r', 'lucia.ferrer'],
    minutesAgo: 60,
    lines: [
      [0, '¿Sábado en Mojácar? Me falta la puerta 215.'],
      [1, 'Llego el viernes por la noche.'],
      [0, 'Llevo yo el termo.'],
    ],
  },
  {
    between: ['nuria.b', 'lucia.ferrer'],
    minutesAgo: 12,
    lines: [[0, '¿Nos vemos el domingo entonces? Hay limones para todas.']],
  },
  {
    between: ['lucia.ferrer', 'marisol.barro'],
    minutesAgo: 0,
    lines: [
      [0, 'Marisol, ¿todavía aceptas gente en el taller de los jueves?'],
      [1, '¡Claro! Quedan dos lugares. Trae delantal y ganas de ensuciarte las manos.'],
      [0, 'Perfecto, me apunto. ¿Llevo algo para compartir?'],
      [1, 'Acabo de abrir el horno y salió todo entero. Ni una grieta.'],
      [1, '¡Te guardé la taza azul! 🏺'],
      [0, 'No puede ser, es la que quería. Gracias, de verdad.'],
    ],
  },
]
