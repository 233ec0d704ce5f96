import { Skeleton } from '#web/ui/skeleton.tsx'

/** A post card's boxes, with a picture of the ratio that takes the most room. */
export function PostCardSkeleton() {
  return (
    <div className="card rounded-card-small p-2.5 pb-3.5 md:rounded-card md:p-3.5 md:pb-[18px]">
      <div className="flex items-center gap-3 px-1 pb-3">
        <Skeleton className="size-11 rounded-full" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3 w-1/4" />
        </div>
      </div>
      <Skeleton className="aspect-4/5 w-full rounded-photo" />
      <div className="space-y-2.5 px-2 pt-5 pb-1">
        <Skeleton className="h-3.5 w-11/12" />
        <Skeleton className="h-3.5 w-3/5" />
      </div>
    </div>
  )
}
