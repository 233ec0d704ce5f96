import { RotateCw } from 'lucide-react'
import { checkSession } from '#web/features/account/session.ts'
import { Mark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { SkeletonRegion } from '#web/ui/skeleton.tsx'

/** Nobody is known yet, so nothing of anybody is shown (AUTH-07). It looks as what stands in index.html before any script. */
export function Splash() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center">
      <SkeletonRegion atOnce>
        {/* Room for the word that it takes long. */}
        <Mark className="my-16 size-16" />
      </SkeletonRegion>
    </main>
  )
}

/** No answer is not "no user": she stays where she is and may ask again (conflict C-03). */
export function Unreachable() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 px-6 text-center">
      <Mark className="size-16" />
      <h1 className="heading text-h1-small md:text-h1">We can’t reach Juntas</h1>
      <Button kind="outline" onClick={checkSession}>
        <RotateCw size={18} strokeWidth={2} />
        Try again
      </Button>
    </main>
  )
}
