import { createHash } from 'node:crypto'

export const hashSecretSha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest()
