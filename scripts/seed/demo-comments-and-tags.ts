/** A picture identifies its post. */

/** Oldest first. `answers` are the replies. `@username` mentions a member. */
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

/** Without `says`, the tag is pending. Authors can tag only their followers. */
export const demoPhotoTags: { picture: string; person: string; x: number; y: number; says?: 'yes' }[] = [
  { picture: 'parasols', person: 'paloma.r', x: 0.3, y: 0.4, says: 'yes' },
  { picture: 'balloons', person: 'lucia.ferrer', x: 0.6, y: 0.5 },
]

/** The earlier captions become versions of the post. */
export const demoPostEdits: Record<string, string> = {
  lanterns: 'Everybody wrote a wish. Nobody told. Hoi An, the night before the rain.',
}
