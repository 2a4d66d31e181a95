for (let at = 0; ; at++) Math.sqrt(at)
