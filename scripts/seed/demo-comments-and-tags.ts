/** What the demo members say under posts, and whom they name in photos. A post is named by the picture that it shows. */

/** Oldest first; an answer follows its thread. `@username` mentions. */
type DemoComment = { by: string; words: string; likedBy?: string[]; answers?: Omit<DemoComment, 'answers'>[] }

export const demoComments: Record<string, DemoComment[]> = {
  sea: [
    {
      by: 'paloma.r',
      words: 'Ese azul solo existe a esa hora.',
      likedBy: ['lucia.ferrer', 'wanjiru'],
      answers: [{ by: 'lucia.ferrer', words: 'Y dura once minutos. Los he contado.' }],
    },
    { by: 'wanjiru', words: 'I can hear it. @yuki.t, this is the beach I told you about.' },
    { by: 'yuki.t', words: 'Now I want to go.', likedBy: ['wanjiru'] },
  ],
  ceramics: [
    {
      by: 'tere.ibanez',
      words: '¿La blanca es de alta temperatura?',
      answers: [{ by: 'marisol.barro', words: '@tere.ibanez 1.240 grados. Te enseño el jueves.' }],
    },
  ],
  lemons: [{ by: 'sofia.arce', words: 'Guárdame dos y te llevo un esqueje.', likedBy: ['nuria.b'] }],
}

/** Who is named in the first photo of a post; without a yes the name waits. Only members whom the person named follows may name that person. */
export const demoPhotoTags: { picture: string; person: string; x: number; y: number; says?: 'yes' }[] = [
  { picture: 'parasols', person: 'paloma.r', x: 0.3, y: 0.4, says: 'yes' },
  { picture: 'balloons', person: 'lucia.ferrer', x: 0.6, y: 0.5 },
]

/** Captions as their authors changed them a while after posting; those before are earlier versions. */
export const demoPostEdits: Record<string, string> = {
  lanterns: 'Everybody wrote a wish. Nobody told. Hoi An, the night before the rain.',
}
