"""Every Python example in the documents runs."""

import contextlib
import io
import os
import unittest
from unittest import mock

from given import GIVEN, Test


class Examples(Test):
    def test_every_example_runs(self):
        self.assertGreater(len(GIVEN["documents"]), 4)
        environment = {
            "SVC_API_KEY": GIVEN["key"],
            "SVC_BASE_URL": GIVEN["api"],
            "SVC_WEBHOOK_SECRET": GIVEN["vectors"][0]["secret"],
        }
        for at, text in GIVEN["documents"]:
            with self.subTest(at), mock.patch.dict(os.environ, environment):
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(compile(text, at, "exec"), {"__name__": "__main__"})
                self.assertTrue(printed.getvalue(), f"{at} prints nothing")


if __name__ == "__main__":
    unittest.main()
