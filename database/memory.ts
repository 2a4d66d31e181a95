/** A cache: a Map of at most `most` entries, which drops the oldest entry for a new one. */
export class Memory<Key, Value> extends Map<Key, Value> {
  /** A ring of the keys in order of insertion. A Map finds its oldest entry slowly when many were
   *  deleted: ten microseconds with ten thousand entries. */
  private readonly keysInOrder: Key[] = []
  private next = 0

  constructor(private readonly most: number) {
    super()
  }

  override set(key: Key, value: Value): this {
    if (this.has(key)) return super.set(key, value)
    if (this.keysInOrder.length === this.most) this.delete(this.keysInOrder[this.next] as Key)
    this.keysInOrder[this.next] = key
    this.next = (this.next + 1) % this.most
    return super.set(key, value)
  }
}
