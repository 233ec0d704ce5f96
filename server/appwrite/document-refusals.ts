/** Refusals as this door words them. */
import { asFailure, Failure } from '../errors.ts'

/** What a member may not do is 401 here, as the dialect has it, with our sentence (reading D-07). */
export async function asThisDoorRefuses<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const failure = asFailure(error)
    if (failure?.status !== 403) throw error
    throw new Failure('user_unauthorized', { status: 401, message: failure.message, cause: error })
  }
}

/** Names what a visitor lacks: `documents.read`, `documents.write`. */
export function guestsLack<T>(scope: string, identify: () => T): T {
  try {
    return identify()
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'general_unauthorized_scope') throw error
    throw new Failure(error.type, { message: `User (role: guests) missing scope (${scope})` })
  }
}
