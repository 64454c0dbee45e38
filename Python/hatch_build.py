"""Puts the loadable extension into the wheel, and tells for which platform it is.

CONCORDANCE_LIBRARY is the file, by default the one that Scripts/build-extension builds. A wheel has no Python code for one
version of Python only, so it serves every Python 3 of the platform: py3-none-PLATFORM.
"""

import os
import sys
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    def initialize(self, version, build_data):
        suffix = "dylib" if sys.platform == "darwin" else "so"
        default = os.path.join(self.root, "..", ".build", "dist", f"concordance.{suffix}")
        library = os.path.abspath(os.environ.get("CONCORDANCE_LIBRARY", default))
        if not os.path.isfile(library):
            raise FileNotFoundError(f"{library} is missing: build it with Scripts/build-extension")
        build_data["force_include"][library] = f"sqlite_concordance/concordance.{suffix}"
        build_data["force_include"][os.path.join(self.root, "..", "LICENSE")] = "sqlite_concordance/LICENSE"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{self.platform()}"

    @staticmethod
    def platform():
        platform = os.environ.get("CONCORDANCE_PLATFORM")
        if not platform:
            platform = sysconfig.get_platform()
            if sys.platform == "darwin":
                # What Scripts/build-extension builds for.
                platform = "macosx-13.0-" + platform.rsplit("-", 1)[1]
        return platform.replace("-", "_").replace(".", "_")
