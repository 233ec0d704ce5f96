import sharp from 'sharp'

const styles = {
  long: {
    behind: '<path d="M14 60V27a14 14 0 0 1 28 0v33z"/>',
    before: '<path d="M18 28c0-12 20-12 20 0-2-5-6-7-10-7s-8 2-10 7z"/>',
  },
  bun: {
    behind: '<circle cx="28" cy="10" r="6"/><path d="M16 32v-6a12 12 0 0 1 24 0v6z"/>',
    before: '<path d="M18.5 27c0-10 19-10 19 0-3-4-6-5-9.5-5s-6.5 1-9.5 5z"/>',
  },
  bob: {
    behind: '<path d="M15 40V27a13 13 0 0 1 26 0v13z"/>',
    before: '<path d="M18 29c0-13 20-13 20 0l-3-4H21z"/>',
  },
  curls: {
    behind:
      '<circle cx="28" cy="19" r="12"/><circle cx="17" cy="25" r="7"/><circle cx="39" cy="25" r="7"/><circle cx="18" cy="34" r="5"/><circle cx="38" cy="34" r="5"/>',
    before: '<path d="M18 26c2-9 18-9 20 0-4-4-7-4-10-4s-6 0-10 4z"/>',
  },
  braid: {
    behind:
      '<path d="M16 32v-6a12 12 0 0 1 24 0v6z"/><circle cx="40" cy="36" r="4"/><circle cx="41" cy="43" r="3.5"/><circle cx="41" cy="50" r="3"/>',
    before: '<path d="M18.5 27c1-11 18-11 19 0-5-1-9-3-11-6-2 3-5 5-8 6z"/>',
  },
  short: {
    behind: '<path d="M17 28v-2a11 11 0 0 1 22 0v2z"/>',
    before: '<path d="M18 27c-1-12 21-12 20 0l-2-4c-5 1-11 0-14-2z"/>',
  },
}

export type AvatarFace = {
  style: keyof typeof styles
  ground: string
  skin: string
  hair: string
  top: string
  glasses?: boolean
}

/** @returns a PNG of 512 × 512 pixels */
export function drawFace({ style, ground, skin, hair, top, glasses }: AvatarFace): Promise<Buffer> {
  const { behind, before } = styles[style]
  const spectacles = `<g fill="none" stroke="#231a21" stroke-width="1"><circle cx="24.4" cy="29.5" r="3"/>
    <circle cx="31.600" cy="29.5" r="3"/></g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56" width="512" height="512">
    <rect width="56" height="56" fill="${ground}"/>
    <g fill="${hair}">${behind}</g>
    <path d="M8 60a20 16 0 0 1 40 0z" fill="${top}"/>
    <rect x="23.5" y="35" width="9" height="11" rx="4.5" fill="${skin}"/>
    <ellipse cx="28" cy="29" rx="9.5" ry="11" fill="${skin}"/>
    <g fill="${hair}">${before}</g>
    <g fill="#231a21"><circle cx="24.4" cy="29.5" r="1.2"/><circle cx="31.600" cy="29.5" r="1.2"/></g>
    ${glasses ? spectacles : ''}
    <path d="M24.5 34.200c2 2.4 5 2.4 7 0" fill="none" stroke="#231a21" stroke-width="1.4" stroke-linecap="round"/>
  </svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}
