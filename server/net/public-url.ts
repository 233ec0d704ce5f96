/** Finds the server's public URL, for links in emails. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Returns the public URL. In production it comes from the settings, never from a header that the caller controls. */
export const getPublicUrlForRequest = (
  { socket }: FastifyRequest,
  { config: { publicUrl, port } }: { config: Config },
): string => getConfiguredPublicUrl({ publicUrl, port: socket.localPort ?? port })

/** Returns the public URL for emails without a request. */
export const getConfiguredPublicUrl = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`
