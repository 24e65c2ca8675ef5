// Calls cv::split for rows of equal elements of 1, 2, 4 or 8 bytes.
#include <opencv2/core.hpp>

extern "C" {
#include "suite.h"

void suite_opencv(const void *context, const void *input, void *const outputs[]);
void suite_opencv_setup(void);
}

void suite_opencv_setup(void)
{
    cv::setNumThreads(1);
}

void suite_opencv(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = static_cast<const suite_shape *>(context);
    const int channels = static_cast<int>(shape->noutputs);
    const int pixels = static_cast<int>(shape->rows);
    const size_t width = shape->widths[0];
    // The depth matters to cv::split by its size only.
    const int depth = width == 1 ? CV_8U : width == 2 ? CV_16U : width == 4 ? CV_32F : CV_64F;
    const cv::Mat from(1, pixels, CV_MAKETYPE(depth, channels), const_cast<void *>(input));
    cv::AutoBuffer<cv::Mat, 8> planes(static_cast<size_t>(channels));

    for (int i = 0; i < channels; ++i) {
        // cv::split writes into planes that have the right shape already.
        planes[static_cast<size_t>(i)] = cv::Mat(1, pixels, CV_MAKETYPE(depth, 1), outputs[i]);
    }
    cv::split(from, planes.data());
}
